import { circuitTag, scopeWord } from "@/lib/proofs/derivations";
import { derivedInputsStep, findingSteps, walletInputs, walletMobileSteps, walletNotes } from "./attestation";
import { challengeStep, type GuideFamily, type GuideSubject, joinStep, purchaseSteps } from "./parts";

const circuit = "network_eligibility";

/** Proofs of the accepted identity check, in identity mode. */
export const kycGuide: GuideFamily = {
  mobileSteps: (subject) => walletMobileSteps(subject, circuit, "vouched"),

  agentSteps(subject) {
    const { scope } = subject.deployment;
    return [
      ...findingSteps(subject, circuit),
      challengeStep(
        subject,
        "The challenge then belongs to you, and only you can use the proof. It lives 5 minutes: all that follows, the join included, must fit in.",
      ),
      [
        "Sign with the attested wallet",
        `$SIGNAL_HASH = ${signalRule(subject)}. $SIGNATURE = EIP-191 personal_sign over these 32 bytes (not over their hex text): 65 bytes r, s, v.`,
        `signalHash = keccak256(toBytes(\`${circuit}:${scope}:\${nonce}\`)); signature = await wallet.signMessage({ message: { raw: signalHash } }); // viem`,
      ],
      derivedInputsStep(
        subject,
        circuit,
        `keccak256(keccak256($WALLET || ${circuitTag(circuit)}) || ${scopeWord(scope)})`,
      ),
      ...purchaseSteps(subject, kycGuide),
      joinStep,
    ];
  },

  inputs: (subject) => `{${walletInputs(subject, circuit)}}`,

  challenge: (subject) =>
    `With your session. The attested wallet signs its nonce: signal_hash = ${signalRule(subject)}.`,

  notes: () => [
    ...walletNotes,
    "Leave out domain_separator, action_hash and action: an action proof authorises that action, not an entry.",
    "Only proofs of network_eligibility count; the test network's regional_attestation opens no gate.",
    `Such a proof also signs in, when its signal hash has the nonce of the sign-in's challenge: POST /api/auth/verify/ai with circuit ${circuit}.`,
  ],
};

function signalRule({ deployment }: GuideSubject): string {
  return `keccak256 of the UTF-8 bytes of "${circuit}:${deployment.scope}:<nonce>" with the challenge's nonce`;
}
