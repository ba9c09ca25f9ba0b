import type { ProofGuide, ProofRequirement } from "@/lib/contract";
import { type CountrySet, countryFields, type Gate, gateCircuit } from "@/lib/policy/gate";
import type { Deployment } from "@/lib/proofs/deployment";
import { circuits } from "@/lib/proofs/registry";
import { challengeSeconds } from "../challenges";
import { type GateType, type GuideFamily, type GuideSubject, numbered, proveWith } from "./parts";
import { mobileSignIn, signInSteps } from "./sign-in";
import { issuersFor, tokenGuide } from "./token";
import { countryGuide, kycGuide } from "./wallet";

const guides: Readonly<Record<GateType, { readonly title: string; readonly family: GuideFamily }>> = {
  kyc: { title: "Prove that an accepted attester vouched for you", family: kycGuide },
  country: { title: "Prove your attested country", family: countryGuide },
  workspace_a: { title: "Prove your email domain with provider A", family: tokenGuide },
  workspace_b: { title: "Prove your email domain with provider B", family: tokenGuide },
  workspace: { title: "Prove your email domain", family: tokenGuide },
};

/** Returns how to make a gate's proof here. @param permitted countries of the topic's country gate, if any */
export function gateGuide(type: GateType, deployment: Deployment, permitted: CountrySet | null = null) {
  const circuit = gateCircuit(type);
  const { family } = guides[type];
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
    title: guides[type].title,
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

/**
 * Returns everything an agent without prior knowledge needs to finish the join (design/api.md, "The 402 body").
 * @param joinUrl path of the call that takes the proof, e.g. `/api/topics/{id}/join`
 */
export function proofRequirementFor(deployment: Deployment, gate: Gate, joinUrl: string): ProofRequirement {
  const { type } = gate;
  const { appUrl } = deployment.services;
  const { circuit, guide, proveCommand, challenge } = gateGuide(type, deployment, permittedBy(gate));
  const domain = "requiredDomain" in gate ? gate.requiredDomain : null;
  const { allowedCountries, excludedCountries } = countryFields(gate);
  return {
    type,
    circuit,
    domain,
    allowedCountries,
    excludedCountries,
    guide,
    guideUrl: `/api/docs/proof-guide/${type}`,
    proofEndpoint: {
      mobile: {
        method: "GET",
        url: appUrl,
        body: {
          circuit,
          scope: deployment.scope,
          domain,
          provider: issuersFor(type, deployment)[0]?.provider ?? null,
          countryList: allowedCountries ?? excludedCountries,
          isIncluded: permittedBy(gate)?.included ?? null,
        },
        description: "Open the topic here in a browser and press Join: the page makes the proof with you.",
      },
      agent: {
        challengeEndpoint: {
          method: "POST",
          url: `${appUrl}/api/auth/challenge`,
          description: challenge,
          exampleResponse: {
            challengeId: "ch_…",
            scope: deployment.scope,
            nonce: "43 characters",
            expiresIn: challengeSeconds,
          },
        },
        proveCommand,
        joinEndpoint: {
          method: "POST",
          url: `${appUrl}${joinUrl}`,
          description: "With your session; proof and publicInputs as the prover returned them.",
          exampleBody: { proof: "0x…", publicInputs: ["0x…"] },
        },
      },
    },
  };
}

function permittedBy(gate: Gate) {
  return gate.type === "country" ? gate.permitted : null;
}

/** Returns how a program becomes a member here: a proof of its email domain, a session, a name. */
export function signInGuide(deployment: Deployment): ProofGuide {
  const type = "workspace";
  const circuit = gateCircuit(type);
  const subject: GuideSubject = { type, circuit, deployment, permitted: null };
  const { guide } = gateGuide(type, deployment);
  const offered = guide.steps.agent.length > 0;
  return {
    ...guide,
    title: "Sign in",
    description: `Signing in takes one proof. ${guide.description}`,
    steps: {
      mobile: offered ? numbered(mobileSignIn(subject)) : [],
      agent: offered ? numbered(signInSteps(subject)) : [],
    },
    notes: guide.notes.filter((note) => !note.includes("takes one seat per topic")),
  };
}
