/**
 * Faults that nothing notices, and why that is right: what an assertion refuses is refused by another one, too, or the constant may
 * be another without a false statement being accepted. A survivor that is not named here fails the harness and `npm test`.
 */
interface Redundant {
  /** Circuits it is redundant in; all when left out. */
  circuits?: readonly string[];
  file: string;
  /** The statement, or the line whose constant is changed. */
  text: string;
  /** What is done to it; default that it is taken out. */
  changes?: readonly string[];
  why: string;
}

const TAKEN_OUT = "taken out";

const eligibility = ["network_eligibility", "regional_attestation"];

export const redundant: readonly Redundant[] = [
  {
    file: "lib/eip1559_payload/src/lib.nr",
    text: "at.assert_max_bit_size::<8>();",
    why: "A position is a sum of sizes that are range-checked, at most 151. The bound only spares the cast a division.",
  },
  {
    file: "lib/keccak256/src/lib.nr",
    text: "value.assert_max_bit_size::<64>();",
    why: "A lane is eight bytes by their type, and the end is added where they are zero. The bound only spares the cast a division.",
  },
  {
    circuits: eligibility,
    file: "lib/keccak256/src/lib.nr",
    text: 'assert(length <= N, "keccak: too many bytes");',
    why: "The payload may have 135 bytes, 7 modulo 8: a longer one would end in a lane that the hint does not have. partner_country_attestation needs it for its scope.",
  },
  {
    circuits: eligibility,
    file: "lib/keccak256/src/lib.nr",
    text: 'assert(sum == 1, "keccak: one end");',
    why: "The last byte of a payload is not zero, so that no end can be left of its lane; two ends there add up to more than the spot, none to less. partner_country_attestation needs it for its scope.",
  },
];

/** Why a fault may survive, or undefined when it may not. */
export function whyRedundant(
  circuit: string,
  file: string,
  text: string,
  change: string,
): string | undefined {
  return redundant.find(
    (one) =>
      one.file === file &&
      one.text === text &&
      (one.changes ?? [TAKEN_OUT]).includes(change) &&
      (one.circuits?.includes(circuit) ?? true),
  )?.why;
}
