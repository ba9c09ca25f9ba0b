import { createHmac } from "node:crypto";
import type { Hex } from "viem";

/**
 * Returns the only trace of inputs that is stored: HMAC-SHA-256 of circuit and canonical JSON under a secret of the
 * installation. The secret is not in the database, so a copy of the database does not help to test guesses.
 */
export function inputHash(secret: Uint8Array, circuit: string, inputs: unknown): Hex {
  return `0x${createHmac("sha256", secret)
    .update(`${circuit}\n${canonicalJson(inputs)}`)
    .digest("hex")}`;
}

/** Returns JSON with sorted object members, so that equal inputs have equal text. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
    return `{${members.join(",")}}`;
  }
  return JSON.stringify(value);
}
