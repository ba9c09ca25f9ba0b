import { createHmac } from "node:crypto";
import type { CircuitId } from "@/lib/proofs/deployment";

/** A circuit's new version that derives the same nullifiers joins its family, and its users keep their accounts. */
const families: Readonly<Record<CircuitId, string>> = {
  oidc_domain_attestation: "oidc",
  partner_country_attestation: "country",
  network_eligibility: "network",
  regional_attestation: "regional",
};

/** Keyed hashes: without USER_ID_SECRET no one can tell which row an email, wallet or proof belongs to. */
export interface IdentityHasher {
  /** Of (circuit family, nullifier): HMAC-SHA256 in hex. */
  identityHash(circuit: CircuitId, nullifier: string): string;
  /** Of a statement, for the used proofs. */
  statementHash(circuit: CircuitId, words: readonly string[]): string;
  /** Of the proof's bytes in lower case, for the used proofs of a circuit whose statements may be proven again. */
  proofHash(circuit: CircuitId, proof: string): string;
}

export function createIdentityHasher(secret: Uint8Array): IdentityHasher {
  // The label comes first and NUL separates the parts: no two purposes and no two inputs share a message.
  const mac = (label: string, ...parts: readonly string[]) =>
    createHmac("sha256", secret)
      .update([label, ...parts].join("\0"))
      .digest("hex");
  return {
    identityHash: (circuit, nullifier) => mac("identity", families[circuit], nullifier.toLowerCase()),
    statementHash: (circuit, words) => mac("statement", circuit, ...words.map((word) => word.toLowerCase())),
    proofHash: (circuit, proof) => mac("proof", circuit, proof),
  };
}
