import { expect } from "@playwright/test";
import { t } from "@/lib/i18n/english";
import { deployment } from "../installation";
import type { Act } from "./act";
import { button } from "./topics";

/** The ways in. (What follows the provider is in network.spec.ts itself: it takes a proof.) */
export const signingActs: readonly Act[] = [
  {
    name: "setting out for the provider",
    operations: ["auth.challenge"],
    arrange: async () => {
      const provider = new URL(deployment.issuers[0]?.authorizationEndpoint ?? "").origin;
      return {
        who: null,
        path: "/sign-in",
        button: (page) =>
          page
            .getByRole("button", { name: t("signIn.continueWith", { provider: "" }) })
            .or(button(t("signIn.opening"))(page)),
        call: { method: "POST", path: /\/auth\/challenge$/ },
        done: (page) => page.waitForURL((url) => url.origin === provider),
      };
    },
  },
  {
    name: "asking one's phone",
    operations: ["auth.createProofRequest"],
    arrange: async () => ({
      who: null,
      path: "/sign-in",
      button: (page) => button(t("relay.use"))(page).or(button(t("relay.again"))(page)),
      call: { method: "POST", path: /\/auth\/proof-request$/ },
      pending: (page) => expect(page.getByText(t("relay.asking"))).toBeVisible(),
      done: (page) => expect(page.getByRole("img", { name: t("relay.qr") })).toBeVisible(),
    }),
  },
  {
    name: "signing in without a proof",
    operations: ["auth.devLogin"],
    arrange: async (word) => ({
      who: null,
      path: "/sign-in",
      open: (page) => page.getByLabel(t("profile.nickname")).fill(`d_${word}`),
      button: button(t("signIn.devLogin")),
      call: { method: "POST", path: /\/dev-login$/ },
      kept: (page) => expect(page.getByLabel(t("profile.nickname"))).toHaveValue(`d_${word}`),
      done: (page) => expect(page).toHaveURL("/"),
    }),
  },
];
