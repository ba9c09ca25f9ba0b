import { createHmac } from "node:crypto";
import type { Hex } from "viem";

/**
 * The only trace of inputs that is written down: HMAC-SHA-256 of circuit and canonical JSON under a secret of
 * the installation. Without the secret, which is not in the database, nobody can try out guesses.
 */
export function inputHash(secret: Uint8Array, circuit: string, inputs: unknown): Hex {
  return `0x${createHmac("sha256", secret)
    .update(`${circuit}\n${canonicalJson(inputs)}`)
    .digest("hex")}`;
}

/** JSON with object members in one order, so that equal inputs have equal text. */
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
