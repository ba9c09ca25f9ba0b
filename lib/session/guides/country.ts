import type { CountrySet } from "@/lib/policy/gate";
import { scopeWord } from "@/lib/proofs/derivations";
import { derivedInputsStep, findingSteps, walletInputs, walletMobileSteps, walletNotes } from "./attestation";
import { challengeStep, type GuideFamily, joinStep, purchaseSteps } from "./parts";

const circuit = "partner_country_attestation";

/** Proofs of the attested country. */
export const countryGuide: GuideFamily = {
  mobileSteps: (subject) => walletMobileSteps(subject, circuit, "attested your country"),

  agentSteps(subject) {
    const { scope } = subject.deployment;
    return [
      ...findingSteps(subject, circuit),
      [
        "Sign with the attested wallet",
        `$SIGNAL_HASH = keccak256($WALLET (20 bytes) || "${scope}" || "${circuit}"), the texts as UTF-8, nothing between them. $SIGNATURE = EIP-191 personal_sign over these 32 bytes (not over their hex text): 65 bytes r, s, v. Keep it to yourself.`,
        `signalHash = keccak256(encodePacked(["address","string","string"], [wallet.address, ${JSON.stringify(scope)}, "${circuit}"])); signature = await wallet.signMessage({ message: { raw: signalHash } }); // viem`,
      ],
      derivedInputsStep(
        subject,
        circuit,
        `keccak256(keccak256($WALLET || $SIGNAL_HASH) || ${scopeWord(scope)})`,
      ),
      ["Choose what to prove", listRule(subject.permitted)],
      ...purchaseSteps(subject, countryGuide),
      challengeStep(subject, `${challengeRule} Hand the proof in within these five minutes.`),
      joinStep,
    ];
  },

  inputs(subject) {
    const { permitted } = subject;
    const list = permitted ? JSON.stringify(permitted.countries) : `'"$COUNTRY_LIST"'`;
    const side = permitted ? String(permitted.included) : "'$IS_INCLUDED'";
    return `{${walletInputs(subject, circuit)},"country_list":${list},"is_included":${side}}`;
  },

  challenge: () => `With your session, at most five minutes before the join. ${challengeRule}`,

  notes: () => [
    ...walletNotes,
    "A country proof carries no challenge. Each is accepted once, from whoever hands it in first: keep it to yourself until you have used it. The signature makes further ones: keep that as well.",
    "Country proofs do not sign in.",
  ],
};

const challengeRule =
  "An open challenge of your own is used up with the proof; nothing of it goes into the proof.";

/** Which list proves that the holder's country is permitted. */
function listRule(permitted: CountrySet | null): string {
  if (!permitted) {
    return "$COUNTRY_LIST (a JSON list) and $IS_INCLUDED: the topic's allowedCountries with true, or its excludedCountries with false; 1 to 10 codes. The attested country must agree.";
  }
  const list = permitted.countries.join(", ");
  return permitted.included
    ? `country_list ${list} with is_included true: you live in one of them. A part of this list that has your country will do as well, but says more about you; is_included false will not.`
    : `country_list ${list} with is_included false: you live in none of them. A longer list will do as well; so will is_included true with a list that has none of these, but it says more about you.`;
}
