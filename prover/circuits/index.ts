import { type CircuitId, circuitIds, type Deployment } from "@/lib/proofs/deployment";
import type { Trust } from "@/lib/proofs/trust/index";
import { oidcCircuit } from "./oidc";
import type { CircuitRow, Execute } from "./types";

/** The circuits this program can prove; the deployment's verifiers decide which of them it offers. */
const rows: Partial<Record<CircuitId, (trust: Trust, execute: Execute) => CircuitRow>> = {
  oidc_domain_attestation: oidcCircuit,
};

/** Ids of the circuits offered: those with a row here and a verifier in the deployment. */
export function offeredCircuits(deployment: Deployment): CircuitId[] {
  return circuitIds.filter((id) => rows[id] !== undefined && deployment.verifiers[id] !== undefined);
}

/** The offered circuits by id. */
export function createCircuits(
  deployment: Deployment,
  trust: Trust,
  execute: Execute,
): ReadonlyMap<CircuitId, CircuitRow> {
  const circuits = new Map<CircuitId, CircuitRow>();
  for (const id of offeredCircuits(deployment)) {
    const row = rows[id]?.(trust, execute);
    if (row) circuits.set(id, row);
  }
  return circuits;
}
