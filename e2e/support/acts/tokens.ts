import { expect, type Page } from "@playwright/test";
import { contract } from "@/lib/contract";
import { t } from "@/lib/i18n/english";
import { person } from "../people";
import type { Act } from "./act";
import { button, inDialog, said } from "./topics";

/** What members do with their tokens for automation. */
export const tokenActs: readonly Act[] = [
  {
    name: "making a token",
    operations: ["auth.createToken"],
    arrange: async (word) => {
      const name = (page: Page) => page.getByLabel(t("tokens.name"), { exact: true });
      return {
        who: await person(`t_${word}`),
        path: "/settings/tokens",
        open: async (page) => {
          await button(t("tokens.make"))(page).click();
          await name(page).fill("Nightly");
        },
        button: inDialog(t("tokens.make")),
        call: { method: "POST", path: /\/auth\/tokens$/ },
        kept: (page) => expect(name(page)).toHaveValue("Nightly"),
        done: (page) => expect(page.getByText(t("tokens.once"))).toBeVisible(),
      };
    },
  },
  {
    name: "revoking a token",
    operations: ["auth.revokeToken"],
    arrange: async (word) => {
      const who = await person(`t_${word}`);
      await who.api.call(contract.auth.createToken, { name: "Nightly", scopes: ["read"] });
      const revoke = button(t("tokens.revokeOne", { name: "Nightly" }));
      return {
        who,
        path: "/settings/tokens",
        button: revoke,
        call: { method: "DELETE", path: /\/auth\/tokens\/[^/]+$/ },
        pending: (page) => expect(revoke(page)).toHaveCount(0),
        kept: (page) => expect(revoke(page)).toBeEnabled(),
        done: said(t("tokens.revoked", { name: "Nightly" })),
      };
    },
  },
];
