import { expect, it } from "vitest";
import { circuitNames } from "@/lib/proofs/deployment";
import { unsafeBlocksOf } from "./assertions";
import { hintCases as attestedHints } from "./attested/hints";
import { Maker } from "./attested/make";
import type { Case } from "./case";
import { Circuit } from "./circuit";
import { hintCases as oidcHints } from "./oidc/hints";

/** Fewest wrong answers to each of our hints. */
const LIES = 5;

it.each(circuitNames)("%s: every unsafe block names what pins its hint", (id) => {
  const blocks = unsafeBlocksOf(id);
  // All of anonymous_membership is solved by the compiler itself.
  if (id !== "anonymous_membership") expect(blocks.length).toBeGreaterThan(0);
  for (const { file, line, comment } of blocks) expect(comment, `${file}:${line}`).toMatch(/^\/\/ Safety: /);
});

it.each(circuitNames)("%s: every hint of ours is lied about", async (id) => {
  const circuit = Circuit.committed(id);
  const calls = circuit.hints();
  const casesOf = async (): Promise<Case[]> => {
    if (id === "anonymous_membership") return [];
    return id === "oidc_domain_attestation" ? oidcHints() : attestedHints(await Maker.of(id), calls);
  };
  const cases = await casesOf();
  const lies = new Map<string, number>();
  for (const { hint } of cases.flatMap((one) => one.lies ?? [])) lies.set(hint, (lies.get(hint) ?? 0) + 1);
  const ours = [...calls.keys()].filter((hint) => !hint.startsWith("directive_"));
  for (const hint of ours) expect(lies.get(hint) ?? 0, hint).toBeGreaterThanOrEqual(LIES);
  // A hint that the compiler worked out beforehand is none; one that no source has would be unknown.
  const known = new Set(unsafeBlocksOf(id).map(({ call }) => call));
  expect(ours.filter((hint) => !known.has(hint))).toEqual([]);
});
