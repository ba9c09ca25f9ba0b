import { hasAttestationSource } from "@/lib/proofs/attestation/find";
import { type CircuitId, circuitIds, type Deployment } from "@/lib/proofs/deployment";
import { isAttestedCircuit } from "@/lib/proofs/trust/attesters";
import { countryCircuit, eligibilityCircuit } from "./attested";
import { oidcCircuit } from "./oidc";
import type { CircuitParts, CircuitRow } from "./types";

/** The circuits this program can prove; the deployment decides which of them it offers. */
const rows: Readonly<Record<CircuitId, (parts: CircuitParts) => CircuitRow>> = {
  oidc_domain_attestation: oidcCircuit,
  partner_country_attestation: countryCircuit,
  network_eligibility: (parts) => eligibilityCircuit("network_eligibility", parts),
  regional_attestation: (parts) => eligibilityCircuit("regional_attestation", parts),
};

/** Ids of the circuits offered: those with a verifier in the deployment and a source for what they attest. */
function offeredCircuits(deployment: Deployment): CircuitId[] {
  return circuitIds.filter((id) => deployment.verifiers[id] !== undefined && hasSource(deployment, id));
}

/** Without a source nobody could tell whether an attestation still stands. */
function hasSource(deployment: Deployment, id: CircuitId): boolean {
  return !isAttestedCircuit(id) || hasAttestationSource(deployment, id);
}

/** The offered circuits by id. */
export function createCircuits(parts: CircuitParts): ReadonlyMap<CircuitId, CircuitRow> {
  return new Map(offeredCircuits(parts.deployment).map((id) => [id, rows[id](parts)]));
}
