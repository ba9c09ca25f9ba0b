import type { Context } from "@/lib/community/context";
import type { ProofGuide, ProofRequirement } from "@/lib/contract";
import { gateCircuit } from "@/lib/policy/gate";
import type { Deployment } from "@/lib/proofs/deployment";
import { challengeSeconds } from "./challenges";
import { type GateType, guideFor, issuersFor, proveCommand } from "./guides";

/** What a gate asks for. */
export interface GateDemand {
  readonly type: GateType;
  /** Email domain asked for, with the workspace gates. */
  readonly domain: string | null;
  readonly allowedCountries: string[] | null;
  readonly excludedCountries: string[] | null;
  /** Path of the call that takes the proof, e.g. `/api/topics/{id}/join`. */
  readonly joinUrl: string;
}

/** Enough for an agent that has seen nothing else to finish the join (design/api.md, "The 402 body"). */
export function proofRequirementFor(deployment: Deployment, demand: GateDemand): ProofRequirement {
  const { type, domain, allowedCountries, excludedCountries, joinUrl } = demand;
  const { appUrl } = deployment.services;
  const circuit = gateCircuit(type);
  const provider = issuersFor(type, deployment)[0]?.provider ?? null;
  return {
    type,
    circuit,
    domain,
    allowedCountries,
    excludedCountries,
    guide: guideFor(type, deployment),
    guideUrl: `/api/docs/proof-guide/${type}`,
    proofEndpoint: {
      mobile: {
        method: "GET",
        url: appUrl,
        body: { circuit, scope: deployment.scope, domain, provider },
        description: "Open the topic here in a browser and press Join: the page makes the proof with you.",
      },
      agent: {
        challengeEndpoint: {
          method: "POST",
          url: `${appUrl}/api/auth/challenge`,
          description:
            "With your session. The nonce goes into the identity provider's `nonce` parameter where its flow has one.",
          exampleResponse: {
            challengeId: "ch_…",
            scope: deployment.scope,
            nonce: "43 characters",
            expiresIn: challengeSeconds,
          },
        },
        proveCommand: proveCommand(type, deployment),
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

/** GET /api/docs/proof-guide/{type}. */
export function describeProof(
  ctx: Pick<Context, "deployment">,
  { type }: { readonly type: GateType },
): ProofGuide {
  return guideFor(type, ctx.deployment);
}
