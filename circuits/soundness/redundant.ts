/**
 * Assertions that every case survives the removal of, and why that is right: what they refuse is refused by another one,
 * too. A survivor that is not named here fails the harness.
 */
interface Redundant {
  /** Circuits it is redundant in; all when left out. */
  circuits?: readonly string[];
  file: string;
  text: string;
  why: string;
}

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

/** Why an assertion may survive, or undefined when it may not. */
export function whyRedundant(circuit: string, file: string, text: string): string | undefined {
  return redundant.find(
    (one) => one.file === file && one.text === text && (one.circuits?.includes(circuit) ?? true),
  )?.why;
}
