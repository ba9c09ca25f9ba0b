import type { Context } from "@/lib/context";
import type { ProofGuide, ProofRequirement } from "@/lib/contract";
import { countryFields, type Gate } from "@/lib/policy/gate";
import type { Deployment } from "@/lib/proofs/deployment";
import { challengeSeconds } from "./challenges";
import { type GateType, gateGuide, issuersFor } from "./guides";

/**
 * Enough for an agent that has seen nothing else to finish the join (design/api.md, "The 402 body").
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

/** GET /api/docs/proof-guide/{type}. */
export function describeProof(
  ctx: Pick<Context, "deployment">,
  { type }: { readonly type: GateType },
): ProofGuide {
  return gateGuide(type, ctx.deployment).guide;
}
