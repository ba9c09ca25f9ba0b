import type { ProofGuide } from "@/lib/contract";
import { type CountrySet, gateCircuit } from "@/lib/policy/gate";
import type { CircuitId, Deployment } from "@/lib/proofs/deployment";
import { circuits } from "@/lib/proofs/registry";
import { countryGuide } from "./country";
import { kycGuide } from "./kyc";
import { type GateType, type GuideFamily, type GuideSubject, numbered, proveWith } from "./parts";
import { tokenGuide } from "./token";

export type { GateType } from "./parts";
export { issuersFor } from "./token";

const titles: Readonly<Record<GateType, string>> = {
  kyc: "Prove that an accepted attester vouched for you",
  country: "Prove your attested country",
  workspace_a: "Prove your email domain with provider A",
  workspace_b: "Prove your email domain with provider B",
  workspace: "Prove your email domain",
};

const families: Readonly<Record<GateType, GuideFamily>> = {
  kyc: kycGuide,
  country: countryGuide,
  workspace_a: tokenGuide,
  workspace_b: tokenGuide,
  workspace: tokenGuide,
};

/** How a gate is passed here, in the three forms that answers use. */
export interface GateGuide {
  readonly circuit: CircuitId;
  readonly guide: ProofGuide;
  /** The call that makes the proof, with what the caller fills in as shell variables. */
  readonly proveCommand: string;
  /** What the challenge is for. */
  readonly challenge: string;
}

/**
 * How to make the proof a gate of this kind asks for, with this installation's own addresses and prices.
 * @param permitted countries of the topic in question, when there is one and it has a country gate
 */
export function gateGuide(
  type: GateType,
  deployment: Deployment,
  permitted: CountrySet | null = null,
): GateGuide {
  const circuit = gateCircuit(type);
  const family = families[type];
  const subject: GuideSubject = { type, circuit, deployment, permitted };
  return {
    circuit,
    guide: guideOf(subject, family),
    proveCommand: proveWith(subject, family),
    challenge: family.challenge(subject),
  };
}

function guideOf(subject: GuideSubject, family: GuideFamily): ProofGuide {
  const { type, circuit, deployment } = subject;
  const { description, reveals, hides } = circuits[circuit];
  const offered = deployment.verifiers[circuit] !== undefined;
  return {
    title: titles[type],
    description,
    steps: {
      mobile: offered ? numbered(family.mobileSteps(subject)) : [],
      agent: offered ? numbered(family.agentSteps(subject)) : [],
    },
    notes: [
      ...(offered ? [] : ["This community does not accept proofs of this circuit yet."]),
      `The community learns: ${reveals.join("; ")}.`,
      `It does not learn: ${hides.join("; ")}.`,
      ...family.notes(subject),
      "A proof counts for 30 days: joins in that time need no new one.",
      "One identity takes one seat per topic, whatever account it uses.",
      ...(deployment.srs.kind === "development"
        ? ["This installation uses development setup data: anyone could forge its proofs."]
        : []),
    ],
  };
}
