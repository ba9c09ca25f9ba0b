import type { CircuitName } from "@/lib/proofs/deployment";
import { ORDER } from "./acir/field";
import type { Opcode, Program } from "./acir/program";
import { countryTables, eligibilityTables, oidcTables } from "./reference/tables";

/** What can be read from a compiled circuit without running it. */
interface Shape {
  /** How many values are checked to have at most so many bits. */
  ranges: Readonly<Record<number, number>>;
  /** Constant tables, in order. */
  tables: readonly (readonly bigint[])[];
  /** Calls of black boxes. */
  boxes: Readonly<Record<string, number>>;
}

const LIMBS = 18;
/** Squarings of RSA, and the last multiplication. */
const PRODUCTS = 17;
const CARRY_BITS = 126;

/** The eligibility circuits differ in the bytes of the chain's id, which are compared with constants. */
const eligibility = (bytes: number): Shape => ({
  ranges: {
    1: 28, // the end's place among the payload's 17 lanes, and the compiler's comparisons
    3: 1, // the payload's length by 8
    6: 4, // the sizes of nonce, fees and gas limit
    8: bytes,
    29: 2,
    32: 3,
    64: 60, // lanes
  },
  tables: eligibilityTables,
  boxes: { Keccakf1600: 8, EcdsaSecp256k1: 2 },
});

/** The committed circuits' shapes, written by hand: what the numbers are made of stands beside those that a rule rests on. */
const shapes: Readonly<Record<CircuitName, Shape>> = {
  network_eligibility: eligibility(781),
  regional_attestation: eligibility(780),
  partner_country_attestation: {
    ranges: {
      1: 64, // the ends' places, is_included and the compiler's comparisons
      3: 3, // three lengths by 8
      5: 2 * 2 * 11, // the letters of the list and of the country, from both sides
      6: 4, // the sizes of nonce, fees and gas limit
      8: 825,
      29: 6,
      32: 18,
      64: 99, // lanes
    },
    tables: countryTables,
    boxes: { Keccakf1600: 10, EcdsaSecp256k1: 2 },
  },
  anonymous_membership: {
    ranges: {
      1: 20, // the places of the tree, level by level
      8: 3, // limit, slot, and what is between them
    },
    tables: [],
    // The leaf and the nodes; two hashes of the slot, one of the scope, two of the commitment; the bans.
    boxes: { Poseidon2Permutation: 1 + 20 + 2 + 1 + 2 + 32 },
  },
  oidc_domain_attestation: {
    ranges: {
      1: 161 + 5 + 128 + 64 + 64 + 96, // the end's place, the form, the lengths of address, domain, nonce and audience
      2: 2, // what is left of length and offset by 4
      4: 2 * 10, // the digits of iat, from both sides
      6: 1,
      7: 1, // the local part's length
      8: 470, // 480 decoded bytes and the parameters' own, but for those that a table's index bounds
      9: 17, // positions in the text, and the quotients' top limbs
      23: 1, // blocks before the data
      24: 1, // the last word's bytes
      26: 1,
      29: 1, // the total length
      30: 4,
      32: 202,
      64: 27, // lanes, and iat
      120: (2 + 2 * (PRODUCTS - 1) + 1) * (LIMBS - 1), // modulus, signature, quotients and remainders
      [CARRY_BITS]: PRODUCTS * (2 * LIMBS - 2),
      128: LIMBS, // the quotient constant
      222: 18,
    },
    tables: oidcTables,
    boxes: { Keccakf1600: 2, Sha256Compression: 11 },
  },
};

function counted<K extends string | number>(keys: readonly K[]): Map<K, number> {
  const counts = new Map<K, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

/** Witnesses that an equation of one term makes constants. */
function constantsOf(program: Program): Map<number, bigint> {
  return new Map(
    program.opcodes.flatMap((opcode): [number, bigint][] => {
      if (opcode.kind !== "zero") return [];
      const { products, terms, constant } = opcode.expression;
      const [term, ...others] = terms;
      // In all that the compiler writes, the factor is 1 or -1.
      if (!term || others.length > 0 || products.length > 0) return [];
      const value = term.factor === 1n ? ORDER - constant : constant;
      return [[term.witness, value % ORDER]];
    }),
  );
}

/** The contents of the tables that hold constants alone. */
function tablesOf(program: Program): bigint[][] {
  const constants = constantsOf(program);
  return program.opcodes.flatMap((opcode) => {
    if (opcode.kind !== "init" || !opcode.values.every((witness) => constants.has(witness))) return [];
    return [opcode.values.map((witness) => constants.get(witness) ?? 0n)];
  });
}

/** The bits of each range check, and the calls of black boxes. */
export function countsOf({ opcodes }: Program): {
  ranges: Map<number, number>;
  boxes: Map<string, number>;
} {
  return {
    ranges: counted(opcodes.flatMap((one) => (one.kind === "range" ? one.bits : []))),
    boxes: counted(opcodes.flatMap((one) => (one.kind === "blackbox" ? one.box : []))),
  };
}

/**
 * RSA's carries, read out of the circuit: checked values that are something plus 2^125. With limbs of 120 bits and carries of 126, a product that
 * is right in the field is right over the integers; a wider range lets signatures be forged.
 */
export function carriesOf({ opcodes }: Program): { bits: number; offset: bigint }[] {
  const bits = new Map(
    opcodes.flatMap((one): [number, number][] =>
      one.kind === "range" && "witness" in one.input ? [[one.input.witness, one.bits]] : [],
    ),
  );
  return opcodes.flatMap((opcode): { bits: number; offset: bigint }[] => {
    const [carry, checked] = sumOf(opcode) ?? [];
    if (carry === undefined || checked === undefined || opcode.kind !== "zero") return [];
    const width = bits.get(checked) ?? bits.get(carry);
    const offset = opcode.expression.constant;
    // The other sums of this form add or subtract numbers that are much smaller.
    const isSmall = offset < 1n << 100n || ORDER - offset < 1n << 100n;
    return width === undefined || isSmall ? [] : [{ bits: width, offset }];
  });
}

/** The two witnesses of `one - other + constant = 0`. */
function sumOf(opcode: Opcode): [number, number] | undefined {
  if (opcode.kind !== "zero" || opcode.expression.products.length > 0) return undefined;
  const [one, other, ...more] = opcode.expression.terms;
  if (!one || !other || more.length > 0) return undefined;
  return one.factor === 1n && other.factor === ORDER - 1n ? [one.witness, other.witness] : undefined;
}

function differences<K extends string | number>(
  what: string,
  found: ReadonlyMap<K, number>,
  expected: Readonly<Partial<Record<K, number>>>,
): string[] {
  const entries = new Map(Object.entries<number | undefined>(expected));
  const keys = new Set([...entries.keys(), ...[...found.keys()].map(String)]);
  const actual = new Map([...found].map(([key, count]) => [String(key), count]));
  return [...keys].flatMap((key) => {
    const [is, must] = [actual.get(key) ?? 0, entries.get(key) ?? 0];
    return is === must ? [] : [`${is} instead of ${must} ${what} ${key}`];
  });
}

/** How a compiled circuit departs from what must be read in it. */
export function shapeProblems(circuit: CircuitName, program: Program): string[] {
  const shape = shapes[circuit];
  const { ranges, boxes } = countsOf(program);
  const tables = tablesOf(program);
  const problems = [
    ...differences("range checks of bits", ranges, shape.ranges),
    ...differences("calls of", boxes, shape.boxes),
  ];
  if (tables.length !== shape.tables.length)
    problems.push(`${tables.length} instead of ${shape.tables.length} constant tables`);
  for (const [i, table] of shape.tables.entries()) {
    const found = tables[i] ?? [];
    const wrong = table.findIndex((value, at) => found[at] !== value);
    if (wrong >= 0) problems.push(`entry ${wrong} of table ${i} is not ${table[wrong]}`);
    if (found.length > table.length) problems.push(`table ${i} has ${found.length - table.length} more`);
  }
  if (circuit === "oidc_domain_attestation") {
    const carries = carriesOf(program);
    const right = carries.filter(
      ({ bits, offset }) => bits === CARRY_BITS && offset === 1n << BigInt(CARRY_BITS - 1),
    );
    const expected = PRODUCTS * (2 * LIMBS - 2);
    if (right.length !== expected || carries.length !== expected)
      problems.push(`${right.length} of ${carries.length} carries of RSA are right, instead of ${expected}`);
  }
  return problems;
}
