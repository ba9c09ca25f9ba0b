import { expect, it } from "vitest";
import { words } from "@/lib/i18n/english";
import { listsOf } from "./learns";

it("security F6: email gates say of guessable addresses what wallet gates say", () => {
  const email = listsOf(words, { kind: "domain", issuers: [], domain: "acme.example" });
  expect(email.besides).toContain("knows or guesses your address could tell that they belong together");
  expect(email.besides).toContain(words.t("signIn.recognisable"));
});
