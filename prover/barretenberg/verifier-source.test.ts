import { describe, expect, test } from "vitest";
import { CEREMONY_G2 } from "@/lib/proofs/ceremony";
import { KeysError } from "./errors";
import { verifierFor } from "./keys";
import { developmentG2 } from "./srs-points";

const WORDS = [
  "0x260e01b251f6f1c7e7ff4e580791dee8ea51d87a358e038b4efe30fac09383c1",
  "0x0118c4d5b837bcc2bc89b5b398b5974e9f5944073b32078b7e231fec938883b0",
  "0x04fc6369f7110fe3d25156c1bb9a72859cf2a04641f99ba4ee413c80da6a5fe4",
  "0x22febda3c0c0632a56475b4214e5615e11e6dd3f96e6cea2854a87d4dacc5e55",
];
const literal = (words: string[]) => words.map((word) => `uint256(${word})`).join(",\n        ");
const source = `pairing(lhs.y,\n // G2 point from VK\n        ${literal(WORDS)}\n    );`;
const development = { kind: "development", g2: developmentG2() } as const;

describe("verifierFor", () => {
  test("leaves the ceremony's verifier as bb wrote it", () => {
    expect(verifierFor({ kind: "ignition", g2: new Uint8Array(CEREMONY_G2) }, source)).toBe(source);
  });

  test("replaces the four words of the G2 point, imaginary parts first, and nothing else", () => {
    const hex = Buffer.from(development.g2).toString("hex");
    const own = [1, 0, 3, 2].map((i) => `0x${hex.slice(i * 64, i * 64 + 64)}`);
    expect(verifierFor(development, source)).toBe(source.replace(literal(WORDS), literal(own)));
  });

  test.each([
    ["a word missing", source.replace(WORDS[2] ?? "", "0x00")],
    ["two words swapped", source.replace(literal(WORDS), literal([1, 0, 2, 3].map((i) => WORDS[i] ?? "")))],
    ["the point twice", source + source],
    ["a word once more elsewhere", `${source} uint256(${WORDS[1]})`],
    [
      "something between the words",
      source.replace(`uint256(${WORDS[1]})`, `uint256(${WORDS[1]}), uint256(0)`),
    ],
  ])("refuses a source with %s", (_, changed) => {
    expect(() => verifierFor(development, changed)).toThrow(KeysError);
    expect(() => verifierFor({ kind: "ignition", g2: new Uint8Array(CEREMONY_G2) }, changed)).toThrow(
      KeysError,
    );
  });
});
