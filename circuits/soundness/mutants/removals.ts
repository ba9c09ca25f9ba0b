import type { CircuitId } from "@/lib/proofs/deployment";
import { assertionsIn, type Sources, textsOf } from "../assertions";
import { type Mutant, mutantOf } from "./mutant";

/** A circuit without one of its assertions, for each of them. */
export function removalMutants(circuit: CircuitId, sources: Sources = textsOf(circuit)): Mutant[] {
  return [...sources].flatMap(([file, source]) =>
    assertionsIn(file, source).map(({ text, start, end }) =>
      mutantOf(circuit, sources, {
        kind: "removal",
        text,
        change: "taken out",
        edits: [{ file, start, end, by: "" }],
      }),
    ),
  );
}
