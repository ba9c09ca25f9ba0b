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
 * Where the compiled circuit of an installation lies. The attested circuits have the attester compiled in: a
 * development installation proves with the build that trusts the development signers.
 */
export function artifactFile(circuit: CircuitId, mode: Deployment["mode"]): string {
  const build = mode === "development" && isAttestedCircuit(circuit) ? ".development" : "";
  return path.join(DIRECTORY, `${circuit}${build}.json`);
}

/**
 * Reads a compiled circuit, for example `circuits/artifacts/oidc_domain_attestation.json`.
 *
 * @throws ZodError or SyntaxError when the file is not an artifact.
 */
export async function loadArtifact(file: string): Promise<CircuitArtifact> {
  return CircuitArtifact.parse(JSON.parse(await readFile(file, "utf8")));
}

/** The circuit's ACIR as bb wants it: decoded and unzipped. */
export function circuitBytecode(artifact: CircuitArtifact): Uint8Array {
  return new Uint8Array(gunzipSync(Buffer.from(artifact.bytecode, "base64")));
}

/** sha256 of the bytecode string: names one build of a circuit. Noir's own `hash` is 32 bits only. */
export function bytecodeSha256(artifact: CircuitArtifact): string {
  return createHash("sha256").update(artifact.bytecode).digest("hex");
}
