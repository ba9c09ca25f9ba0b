import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import { CircuitArtifact } from "./types";

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
