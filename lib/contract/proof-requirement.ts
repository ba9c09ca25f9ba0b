import { z } from "zod";
import type { ErrorCode } from "./errors";

export const proofType = z.enum(["none", "kyc", "country", "workspace_a", "workspace_b", "workspace"]);
export type ProofType = z.infer<typeof proofType>;

const step = z.object({ step: z.int(), title: z.string(), description: z.string() });
const agentStep = step.extend({ code: z.string().optional() });
const call = { method: z.string(), url: z.string(), description: z.string() };

export const proofGuide = z
  .object({
    title: z.string(),
    description: z.string(),
    steps: z.object({ mobile: z.array(step), agent: z.array(agentStep) }),
    notes: z.array(z.string()),
  })
  .meta({ id: "ProofGuide" });
export type ProofGuide = z.infer<typeof proofGuide>;

/** Everything an agent without prior knowledge needs to finish a join (design/api.md, "The 402 body"). */
export const proofRequirement = z
  .object({
    type: proofType.exclude(["none"]),
    circuit: z.string(),
    domain: z.string().nullable(),
    /** Country gates: the proof must leave only these countries possible, */
    allowedCountries: z.array(z.string()).nullable(),
    /** or none of these. */
    excludedCountries: z.array(z.string()).nullable(),
    guide: proofGuide,
    guideUrl: z.string(),
    proofEndpoint: z.object({
      mobile: z.object({ ...call, body: z.record(z.string(), z.unknown()) }),
      agent: z.object({
        challengeEndpoint: z.object({ ...call, exampleResponse: z.record(z.string(), z.unknown()) }),
        proveCommand: z.string(),
        joinEndpoint: z.object({ ...call, exampleBody: z.record(z.string(), z.unknown()) }),
      }),
    }),
  })
  .meta({ id: "ProofRequirement" });
export type ProofRequirement = z.infer<typeof proofRequirement>;

/** Errors of a submitted proof, for every operation that takes one. */
export const proofErrors = [
  "proof_malformed",
  "proof_not_canonical",
  "unknown_circuit",
  "proof_invalid",
  "proof_wrong_scope",
  "proof_untrusted_issuer",
  "proof_wrong_audience",
  "proof_machine_account",
  "proof_stale",
  "proof_wrong_challenge",
  "proof_wrong_circuit",
  "proof_used",
  "verification_unavailable",
] as const satisfies readonly ErrorCode[];
