import type { CircuitName } from "@/lib/proofs/deployment";
import { flatBits, flatNames, type Inputs } from "./abi";
import { ORDER } from "./acir/field";
import { anonymousCases, honestInputs as membership } from "./anonymous/index";
import { attestedCases } from "./attested/index";
import { Maker } from "./attested/make";
import type { Case, Cases } from "./case";
import { Circuit } from "./circuit";
import { oidcCases } from "./oidc/index";
import { honestInputs } from "./oidc/make";

/** A committed circuit with everything that is tried against it by name. */
export interface Suite {
  circuit: Circuit;
  /** The honest witness that most cases depart from. */
  honest: Inputs;
  cases: Cases;
  /** Must be refused: second encodings of every parameter of the honest witness. */
  encodings: Case[];
}

const suites = new Map<CircuitName, Promise<Suite>>();

/** The suite of a circuit's production build. Made once per process. */
export function suiteOf(id: CircuitName): Promise<Suite> {
  const known = suites.get(id);
  if (known) return known;
  const made = makeSuite(id);
  suites.set(id, made);
  return made;
}

async function namedCases(id: CircuitName): Promise<[Inputs, Cases]> {
  if (id === "oidc_domain_attestation") return [honestInputs, oidcCases()];
  if (id === "anonymous_membership") return [membership, anonymousCases()];
  return [(await Maker.of(id)).honest, await attestedCases(id)];
}

async function makeSuite(id: CircuitName): Promise<Suite> {
  const circuit = Circuit.committed(id);
  const [honest, cases] = await namedCases(id);
  return { circuit, honest, cases, encodings: parameterAliases(circuit, honest) };
}

/**
 * Second encodings that every circuit must refuse, for each of its parameters: a number of more bits than its type has
 * that is the same number in its lowest bits or in the field, and bytes of which one carries into the next.
 */
function parameterAliases(circuit: Circuit, honest: Inputs): Case[] {
  const values = circuit.flatten(honest);
  const bits = flatBits(circuit.abi);
  return flatNames(circuit.abi).flatMap(({ name }, i) => {
    const value = values[i] ?? 0n;
    const width = bits[i] ?? 0;
    // A field element has no range to leave.
    if (width >= 254) return [];
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
