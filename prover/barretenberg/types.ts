import type { Hex } from "viem";
import type { SignedDigest } from "@/lib/proofs/registry";

export { CircuitArtifact } from "@/lib/proofs/artifact";

/** `ignition`: points of Aztec's ceremony. `development`: tau is public and anyone can forge proofs. */
export type SrsKind = "ignition" | "development";

/** Setup data. */
export interface Srs {
  kind: SrsKind;
  /** directory with `bn254_g1.dat` and `bn254_g2.dat`, bb's CRS_PATH */
  path: string;
  /** requested G1 points; the file may have more */
  points: number;
  /** sha256 of those points and the G2 point, hexadecimal without prefix */
  digest: string;
  /** [x]_2: x.c0 ‖ x.c1 ‖ y.c0 ‖ y.c1, 128 bytes */
  g2: Uint8Array;
}

/** Progress of a slow step. */
export interface Progress {
  step: "download-srs" | "development-srs" | "verification-key" | "solidity-verifier";
  /** 0 to 1 */
  fraction: number;
  /** estimate of the time left, if there is one */
  etaMs?: number;
}
export type OnProgress = (progress: Progress) => void;

/** What proving and verifying a circuit needs, for one SRS and one bb. */
export interface CircuitKeys {
  circuit: string;
  /** sha256 of the bytecode string: which build of the circuit this is for */
  bytecodeSha256: string;
  srs: { kind: SrsKind; digest: string };
  bbVersion: string;
  /** bb's binary verification key */
  vk: Uint8Array;
  /** bb's hash of it, as compiled into the verifier */
  vkHash: Hex;
  /** the circuit's public inputs, without the pairing points bb adds */
  publicInputs: number;
  /** log2 of the circuit size; the key needs an SRS of exactly 2^this points */
  logCircuitSize: number;
  /** Solidity source of the verifier, for `ensureVerifier` and to publish */
  soliditySource: string;
}

/** A proof for the generated verifier, with the signed digest among its public inputs. */
export interface Proof {
  proof: Uint8Array;
  /** 32-byte words, in order */
  publicInputs: Hex[];
}

/** Public inputs of a circuit, for VerifierFront. */
export interface PublicInputLayout {
  /** words that callers pass */
  count: number;
  /** runs of words that each hold one byte (0-255) */
  byteWords: readonly { from: number; count: number }[];
  /** digest that the front appends as 32 more words; default none */
  signedDigest?: SignedDigest;
}
