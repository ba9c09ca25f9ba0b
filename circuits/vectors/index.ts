import fs from "node:fs";
import path from "node:path";
import type { CircuitId } from "@/lib/proofs/deployment";
import { attestedVectors } from "./attested";
import { oidcVectors } from "./oidc";
import { AttestedVectors, OidcVectors } from "./schema";

/** Returns the committed file of a circuit's vectors. */
export function vectorFile(id: CircuitId): string {
  return path.join(import.meta.dirname, `${id}.json`);
}

/** Creates the vectors of a circuit. */
export async function madeVectors(id: CircuitId): Promise<OidcVectors | AttestedVectors> {
  return id === "oidc_domain_attestation" ? oidcVectors() : attestedVectors(id);
}

function committed(id: CircuitId): unknown {
  return JSON.parse(fs.readFileSync(vectorFile(id), "utf8"));
}

/** Returns the committed vectors of oidc_domain_attestation. */
export function committedOidcVectors(): OidcVectors {
  return OidcVectors.parse(committed("oidc_domain_attestation"));
}

/** Returns the committed vectors of an attested circuit. */
export function committedAttestedVectors(id: Exclude<CircuitId, "oidc_domain_attestation">): AttestedVectors {
  return AttestedVectors.parse(committed(id));
}
