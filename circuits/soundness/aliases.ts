import type { Inputs } from "./abi";
import { flatBits, flatNames } from "./abi";
import { ORDER } from "./acir/field";
import type { Case } from "./case";
import type { Circuit } from "./circuit";

/**
 * Second encodings that every circuit must refuse, for each of its parameters: a number of more bits than its type has
 * that is the same number in its lowest bits or in the field, and bytes of which one carries into the next.
 */
export function parameterAliases(circuit: Circuit, honest: Inputs): Case[] {
  const values = circuit.flatten(honest);
  const bits = flatBits(circuit.abi);
  return flatNames(circuit.abi).flatMap(({ name }, i) => {
    const value = values[i] ?? 0n;
    const width = bits[i] ?? 0;
    if (width >= 254) throw new RangeError(`${name} is a field element: it has no range to leave`);
    const more = 1n << BigInt(width);
    const alias = (what: string, changes: [number, bigint][]): Case => ({
      name: `${name}: ${what}`,
      inputs: honest,
      base: honest,
      changes: new Map(changes),
    });
    const cases = [
      alias(`2^${width} more`, [[i, value + more]]),
      alias(`2^${width} less, in the field`, [[i, ORDER + value - more]]),
      alias("the field's -1", [[i, ORDER - 1n]]),
    ];
    const next = values[i + 1];
    if (width === 8 && bits[i + 1] === 8 && next !== undefined) {
      cases.push(
        alias("256 more, the next byte one less", [
          [i, value + more],
          [i + 1, (ORDER + next - 1n) % ORDER],
        ]),
      );
    }
    return cases;
  });
}
