import { z } from "zod";
import type { ErrorCode } from "./errors";

export const proofType = z.enum(["none", "kyc", "country", "workspace_a", "workspace_b", "workspace"]);
export type ProofType = z.infer<typeof proofType>;

const step = z.object({
  step: z.int().describe("Counts from 1."),
  title: z.string().describe("The step in a few words."),
  description: z.string().describe("What to do."),
});
const agentStep = step.extend({ code: z.string().optional().describe("A command or a request to copy.") });
const call = {
  method: z.string().describe("HTTP method."),
  url: z.string().describe("Absolute address."),
  description: z.string().describe("What the call does."),
};

export const proofGuide = z
  .object({
    title: z.string().describe("What is proven."),
    description: z.string().describe("What the proof shows, and what stays private."),
    steps: z.object({ mobile: z.array(step), agent: z.array(agentStep) }),
    notes: z.array(z.string()).describe("What else to know before."),
  })
  .meta({ id: "ProofGuide" });
export type ProofGuide = z.infer<typeof proofGuide>;

/** Everything an agent without prior knowledge needs to finish a join (design/api.md, "The 402 body"). */
export const proofRequirement = z
  .object({
    type: proofType.exclude(["none"]).describe("The kind of gate."),
    circuit: z.string(),
    domain: z
      .string()
      .nullable()
      .describe("The email domain that the proof must show; null where any will do."),
    allowedCountries: z
      .array(z.string())
      .nullable()
      .describe(
        "Of a country gate: the proof must leave only these countries possible, by ISO 3166-1 alpha-2 code. Else null.",
      ),
    excludedCountries: z
      .array(z.string())
      .nullable()
      .describe("Of a country gate: the proof must rule these countries out. Else null."),
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
