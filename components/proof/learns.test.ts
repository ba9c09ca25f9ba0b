import { expect, it } from "vitest";
import { words } from "@/lib/i18n/english";
import { circuits } from "@/lib/proofs/registry";
import { revealedFacts } from "@/lib/proofs/revealed";
import { listsOf } from "./learns";

it("security F6: email gates say of guessable addresses what wallet gates say", () => {
  const email = listsOf(words, { kind: "domain", issuers: [], domain: "acme.example" });
  expect(email.remarks).toContain("knows or guesses your address could link the two");
  expect(email.remarks).toContain(words.t("signIn.recognisable"));
});

it("lists what the registry says that a proof reveals and hides", () => {
  const email = listsOf(words, { kind: "domain", issuers: [], domain: null });
  const { reveals, hides } = circuits.oidc_domain_attestation;
  expect([email.learns, email.hidden]).toEqual([reveals, hides]);
  const statement = { circuit: "network_eligibility", scope: "parley", list: null, action: null } as const;
  // Membership asks for no action.
  const person = circuits.network_eligibility.reveals.filter((fact) => fact !== revealedFacts.action);
  expect(listsOf(words, { kind: "wallet", statement }).learns).toEqual(person);
});

it("says who reads the inputs in the words of /how-it-works, whatever the proof is made from", () => {
  const statement = { circuit: "network_eligibility", scope: "parley", list: null, action: null } as const;
  expect(listsOf(words, { kind: "domain", issuers: [], domain: null }).remarks).toContain(
    words.t("prover.readsToken"),
  );
  for (const authorizes of [false, true]) {
    const { remarks } = listsOf(words, { kind: "wallet", statement, authorizes });
    expect(remarks).toContain(words.t("prover.readsWallet"));
  }
});
