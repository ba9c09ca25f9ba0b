import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import type { CircuitId, Deployment } from "@/lib/proofs/deployment";
import { isAttestedCircuit } from "@/lib/proofs/trust/attesters";
import { isBundled } from "../bundled";
import { CircuitArtifact } from "./types";

const DIRECTORY = path.resolve(import.meta.dirname, isBundled ? "." : "../..", "circuits", "artifacts");

/**
 * Returns the file of a compiled circuit. Attested circuits have the attester compiled in: a development installation
 * proves with the build that trusts the development signers.
 */
export function artifactFile(circuit: CircuitId, mode: Deployment["mode"]): string {
  const build = mode === "development" && isAttestedCircuit(circuit) ? ".development" : "";
  return path.join(DIRECTORY, `${circuit}${build}.json`);
}

/**
 * Reads a compiled circuit, for example `circuits/artifacts/oidc_domain_attestation.json`.
 * @throws ZodError or SyntaxError if the file is not an artifact
 */
export async function loadArtifact(file: string): Promise<CircuitArtifact> {
  return CircuitArtifact.parse(JSON.parse(await readFile(file, "utf8")));
}

/** Returns the circuit's ACIR as bb expects it: decoded and unzipped. */
export function circuitBytecode(artifact: CircuitArtifact): Uint8Array {
  return new Uint8Array(gunzipSync(Buffer.from(artifact.bytecode, "base64")));
}

/** Identifies a build of a circuit: the sha256 of the bytecode string. Noir's own `hash` has only 32 bits. */
export function bytecodeSha256(artifact: CircuitArtifact): string {
  return createHash("sha256").update(artifact.bytecode).digest("hex");
}
