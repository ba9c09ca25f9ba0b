import type { CircuitId } from "@/lib/proofs/deployment";
import { type ProveRequest, proveRequestSchema } from "@/lib/proofs/wire";
import { Refusal } from "../refusal";

/**
 * Reads the body of POST /api/v1/prove.
 * @throws Refusal INVALID_CIRCUIT with the list of ids, INVALID_REQUEST or INVALID_INPUTS with the field
 */
export function readProveRequest(body: unknown, offered: readonly CircuitId[]): ProveRequest {
  const parsed = proveRequestSchema.safeParse(body);
  if (parsed.success && offered.includes(parsed.data.circuit)) return parsed.data;
  const field = parsed.success ? "circuit" : parsed.error.issues[0]?.path[0]?.toString();
  if (field === "circuit") {
    throw new Refusal(400, "INVALID_CIRCUIT", `circuit must be one of: ${offered.join(", ")}`, { field });
  }
  if (field === "inputs") {
    throw new Refusal(400, "INVALID_INPUTS", "inputs must be an object", { field });
  }
  throw new Refusal(400, "INVALID_REQUEST", "the body must be a JSON object with circuit and inputs", {
    field,
  });
}
