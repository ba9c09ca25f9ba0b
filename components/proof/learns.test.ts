import { expect, it } from "vitest";
import { words } from "@/lib/i18n/english";
import { listsOf } from "./learns";

it("security F6: email gates say of guessable addresses what wallet gates say", () => {
  const email = listsOf(words, { kind: "domain", issuers: [], domain: "acme.example" });
  expect(email.remarks).toContain("knows or guesses your address could link the two");
  expect(email.remarks).toContain(words.t("signIn.recognisable"));
});
