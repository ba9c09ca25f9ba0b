import type { z } from "zod";
import { ProofInputError, TrustUnavailableError } from "@/lib/proofs/errors";
import { WitnessError } from "../barretenberg/errors";
import { ProverRefusal, refusals } from "../refusal";

/** 400 INVALID_INPUTS with the field and the rule it broke. */
export function invalid(field: string, message: string, reason: string): ProverRefusal {
  return new ProverRefusal(400, "INVALID_INPUTS", message, { field, reason });
}

/** The client's `inputs` by a circuit's schema. @throws ProverRefusal 400 naming the first field that does not fit */
export function parseInputs<S extends z.ZodType>(schema: S, inputs: Record<string, unknown>): z.output<S> {
  const parsed = schema.safeParse(inputs);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw invalid(issue?.path[0]?.toString() ?? "inputs", issue?.message ?? "does not fit", "schema");
}

/**
 * What the client is told about inputs no witness was made of; anything unexpected is passed on.
 * @param details `unprovable`: the field named when our checks passed and the circuit still refuses; `unavailable`:
 *   the reason given when the source of trust is out of reach
 */
export function asRefusal(
  error: unknown,
  {
    unprovable,
    unavailable,
  }: { unprovable: string; unavailable: "issuer_unavailable" | "attestation_unavailable" },
): unknown {
  if (error instanceof ProofInputError) return invalid(error.field, error.message, error.code);
  if (error instanceof TrustUnavailableError) {
    return refusals.unavailable(
      unavailable,
      "who vouches cannot be asked right now; try again, nothing was charged",
    );
  }
  if (error instanceof WitnessError) {
    if (error.reason === "busy") return refusals.busy("witnesses_full", 5);
    return error.reason === "constraint" || error.reason === "inputs"
      ? invalid(unprovable, "no proof can be made from these inputs", "unprovable")
      : refusals.unavailable(
          "witness_unavailable",
          "the witness could not be solved now; nothing was charged",
        );
  }
  return error;
}
