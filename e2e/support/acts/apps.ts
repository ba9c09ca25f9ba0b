import { expect, type Page } from "@playwright/test";
import { contract } from "@/lib/contract";
import { t } from "@/lib/i18n/english";
import { deployment } from "../installation";
import { person } from "../people";
import type { Act } from "./act";
import { button, inDialog, said } from "./topics";

/** Where the apps of these acts have answers sent: a page that says nothing of them. */
const back = `${deployment.services.appUrl}/how-it-works`;
const asked = { name: "Tea club", kind: "browser" as const, redirectUris: [back] };

/** What members do with apps that people sign in to. */
export const appActs: readonly Act[] = [
  {
    name: "registering an app",
    operations: ["apps.create"],
    arrange: async (word) => {
      const name = (page: Page) => page.getByLabel(t("apps.name"), { exact: true });
      return {
        who: await person(`a_${word}`),
        path: "/settings/apps",
        open: async (page) => {
          await button(t("apps.make"))(page).click();
          await name(page).fill("Tea club");
          await page.getByLabel(t("apps.address"), { exact: true }).fill("https://tea.example.org/back");
        },
        button: inDialog(t("apps.make")),
        call: { method: "POST", path: /\/api\/apps$/ },
        kept: (page) => expect(name(page)).toHaveValue("Tea club"),
        done: (page) => expect(page.getByText(t("apps.once"))).toBeVisible(),
      };
    },
  },
  {
    name: "deleting an app",
    operations: ["apps.delete"],
    arrange: async (word) => {
      const who = await person(`a_${word}`);
      await who.api.call(contract.apps.create, asked);
      return {
        who,
        path: "/settings/apps",
        open: async (page) => button(t("apps.removeOne", { name: "Tea club" }))(page).click(),
        button: inDialog(t("apps.remove")),
        call: { method: "DELETE", path: /\/api\/apps\/[^/]+$/ },
        done: said(t("apps.removed", { name: "Tea club" })),
      };
    },
  },
  {
    name: "signing in to an app",
    operations: ["apps.answer"],
    arrange: async (word) => {
      const who = await person(`a_${word}`);
      const { app } = await who.api.call(contract.apps.create, asked);
      const query = new URLSearchParams({
        ...{ response_type: "code", scope: "openid", client_id: app.clientId, redirect_uri: back },
        ...{ state: word, code_challenge: "a".repeat(43), code_challenge_method: "S256" },
      });
      const { host } = new URL(back);
      return {
        who,
        path: `/oidc/auth?${query}`,
        button: button(t("authorize.allow", { host })),
        call: { method: "POST", path: /\/api\/apps\/requests\/[^/]+$/ },
        done: (page) =>
          page.waitForURL((url) => url.pathname === "/how-it-works" && url.searchParams.has("code")),
      };
    },
  },
];
