import fs from "node:fs";
import path from "node:path";
import type { CircuitName } from "@/lib/proofs/deployment";
import type { AttestedCircuit } from "@/lib/proofs/trust/attesters";
import { anonymousVectors } from "./anonymous";
import { attestedVectors } from "./attested";
import { oidcVectors } from "./oidc";
import { AnonymousVectors, AttestedVectors, OidcVectors } from "./schema";

/** Returns the committed file of a circuit's vectors. */
export function vectorFile(id: CircuitName): string {
  return path.join(import.meta.dirname, `${id}.json`);
}

/** Creates the vectors of a circuit. */
export async function madeVectors(
  id: CircuitName,
): Promise<AnonymousVectors | OidcVectors | AttestedVectors> {
  if (id === "anonymous_membership") return anonymousVectors();
  return id === "oidc_domain_attestation" ? oidcVectors() : attestedVectors(id);
}

function committed(id: CircuitName): unknown {
  return JSON.parse(fs.readFileSync(vectorFile(id), "utf8"));
}

/** Returns the committed vectors of anonymous_membership. */
export function committedAnonymousVectors(): AnonymousVectors {
  return AnonymousVectors.parse(committed("anonymous_membership"));
}

/** Returns the committed vectors of oidc_domain_attestation. */
export function committedOidcVectors(): OidcVectors {
  return OidcVectors.parse(committed("oidc_domain_attestation"));
}

/** Returns the committed vectors of an attested circuit. */
export function committedAttestedVectors(id: AttestedCircuit): AttestedVectors {
  return AttestedVectors.parse(committed(id));
}
