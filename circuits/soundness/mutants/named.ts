import type { CircuitName } from "@/lib/proofs/deployment";
import { type Sources, textsOf } from "../assertions";
import type { Case } from "../case";
import { type Row, Tally } from "../groups/group";
import { shapeProblems } from "../shape";
import { type Suite, suiteOf } from "../suites";
import { accepts } from "./hunt";
import { compileEdited, type Edit } from "./mutant";

/** Faults that a review put into the sources, of which half went unnoticed. */
interface Named {
  name: string;
  circuit: CircuitName;
  file: string;
  /** What stands in the sources, and what takes its place. */
  edits: readonly (readonly [string, string])[];
  /** The case that must be accepted then; where none can be made, the circuit's shape must be another. */
  by: string | "shape";
}

const oidc = "oidc_domain_attestation";
const LIMBS = "lib/rsa2048/src/limbs.nr";
const STATES = "lib/json_claims/src/states.nr";

const carries = (bits: number, by: string): Named => ({
  name: `carry${bits}`,
  circuit: oidc,
  file: LIMBS,
  edits: [
    ["CARRY_BITS: u32 = 126", `CARRY_BITS: u32 = ${bits}`],
    [
      "CARRY_OFFSET: Field = 0x20000000000000000000000000000000",
      `CARRY_OFFSET: Field = 0x${(1n << BigInt(bits - 1)).toString(16)}`,
    ],
  ],
  by,
});

const named: readonly Named[] = [
  carries(253, "a signature that is none, right in the field, with carries of 253 bits"),
  carries(250, "shape"),
  {
    name: "account3",
    circuit: "network_eligibility",
    file: "lib/attestation/src/lib.nr",
    edits: [["for i in 0..20 {", "for i in [0, 10, 19] {"]],
    by: "transaction: account byte 7 changed",
  },
  {
    name: "scopewordlane",
    circuit: "partner_country_attestation",
    file: "bin/partner_country_attestation/src/main.nr",
    edits: [
      [
        'assert(expected == to_lanes(signal_hash), "country: signal hash");',
        'let said = to_lanes(signal_hash);\n    assert((expected[0] == said[0]) & (expected[1] == said[1]) & (expected[3] == said[3]), "country: signal hash");',
      ],
    ],
    by: "signal hash: byte 20, signed",
  },
  {
    name: "initword0",
    circuit: oidc,
    file: "lib/sha256_tail/src/lib.nr",
    edits: [["assert(state == INITIAL_STATE,", "assert(state[0] == INITIAL_STATE[0],"]],
    by: "a text hashed from another initial state, word 5",
  },
  {
    name: "modulusrange",
    circuit: oidc,
    file: "lib/rsa2048/src/lib.nr",
    edits: [["assert_number::<TOP_BITS>(n);", ""]],
    by: "modulus: a limb 5 of 121 bits",
  },
  {
    name: "base64group",
    circuit: oidc,
    file: "lib/base64url/src/lib.nr",
    edits: [['assert(spelled == joined, "base64url: not a group");', ""]],
    by: "the decoded text says another domain",
  },
  {
    name: "toplimb",
    circuit: oidc,
    file: LIMBS,
    edits: [["x[LIMBS - 1].assert_max_bit_size::<TOP>();", ""]],
    by: "the signature plus the modulus",
  },
  {
    name: "nulinside",
    circuit: oidc,
    file: STATES,
    edits: [["table[inside + NUL] = DEAD;", ""]],
    by: "a NUL in a text right of every claim but iat",
  },
  {
    name: "beforeobject",
    circuit: oidc,
    file: STATES,
    edits: [["if depth == 0 { DEAD }", "if depth == 0 { AFTER }"]],
    by: "an address in an object before the last",
  },
  {
    name: "keystart",
    circuit: oidc,
    file: "lib/json_claims/src/claims.nr",
    edits: [["assert_key_start(tape[before], present);", ""]],
    by: `"email":"ada@victim.com" as the end of a claim's name`,
  },
];

/** What a fault changes. @throws RangeError when the sources no longer have what it replaces, exactly once. */
function editsOf({ name, file, edits }: Named, sources: Sources): Edit[] {
  const source = sources.get(file) ?? "";
  return edits.map(([from, by]): Edit => {
    const start = source.indexOf(from);
    if (start < 0 || source.indexOf(from, start + 1) >= 0)
      throw new RangeError(`${name}: ${file} has "${from}" not once`);
    return { file, start, end: start + from.length, by };
  });
}

/** The cases of a suite, whatever their group. */
function casesOf({ cases: { refused, hints, aliases, families } }: Suite): Case[] {
  return [...refused, ...hints, ...aliases, ...families.flatMap(({ cases }) => cases)];
}

/**
 * The faults that went unnoticed once, each put into a private copy of the sources that is compiled again: the case made for it must then be
 * accepted, which the committed circuit refuses.
 */
export async function namedMutants(id: CircuitName): Promise<Row[]> {
  const tally = new Tally(id, "named mutants caught", "all");
  const mine = named.filter(({ circuit }) => circuit === id);
  if (mine.length === 0) return [];
  const suite = await suiteOf(id);
  for (const one of mine) {
    const { name, by } = one;
    const mutant = await compileEdited(id, editsOf(one, textsOf(id)));
    if (by === "shape") {
      tally.count(shapeProblems(id, mutant.program).length > 0, `${name}, by its shape`);
      continue;
    }
    const found = casesOf(suite).find((other) => other.name === by);
    if (!found) throw new RangeError(`there is no case ${by}`);
    const isRefused = !(await suite.circuit.run(found.inputs, found)).accepted;
    tally.count(isRefused && (await accepts(mutant, found)), `${name}, by "${by}"`);
  }
  return [tally];
}
