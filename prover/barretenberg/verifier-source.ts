import { CEREMONY_G2 } from "@/lib/proofs/ceremony";
import { KeysError } from "./errors";
import type { Srs } from "./types";

/**
 * Makes bb's generated verifier check against the SRS in use. bb writes the ceremony's [x]_2 into it whatever
 * it was given; for a development SRS those four words are replaced, and nothing else.
 *
 * @throws KeysError unless the source holds each of the four words exactly once, side by side and in order.
 */
export function verifierFor(srs: Pick<Srs, "kind" | "g2">, source: string): string {
  const expected = literals(CEREMONY_G2);
  const pattern = new RegExp(expected.map((word) => `uint256\\(${word}\\)`).join(",\\s*"), "g");
  if (source.match(pattern)?.length !== 1 || expected.some((word) => source.split(word).length !== 2)) {
    throw new KeysError("the generated verifier does not hold the ceremony's G2 point exactly once");
  }
  if (srs.kind === "ignition") return source;
  const own = literals(srs.g2);
  let out = source;
  for (const [i, word] of expected.entries()) out = out.replace(word, own[i] ?? "");
  return out;
}

/** The four words of a G2 point as the pairing precompile wants them (EIP-197: imaginary part first). */
function literals(g2: Uint8Array): string[] {
  const word = (i: number) => `0x${Buffer.from(g2.subarray(i * 32, i * 32 + 32)).toString("hex")}`;
  return [word(1), word(0), word(3), word(2)];
}
