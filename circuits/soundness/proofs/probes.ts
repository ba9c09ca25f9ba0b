import { secp256k1 } from "@noble/curves/secp256k1.js";
import type { Inputs } from "../abi";
import { ConstraintChecker } from "../acir/check";
import { ORDER } from "../acir/field";
import { forceWitness, packWitness } from "../acir/force";
import { bytes32 } from "../attested/make";
import { type Row, Tally } from "../groups/group";
import { type Plan, plannedProbe, type Subject, type World, worldOf } from "./world";

/** One thing the backend is asked about a small circuit. */
interface Attempt {
  name: string;
  inputs: Inputs;
  /** Outputs that the prover says, by kind of opcode: a memory read, or a black box. */
  says?: readonly bigint[];
}

/** A circuit of a few lines with one kind of constraint, honest inputs, and inputs that it must refuse. */
interface Probe {
  name: string;
  source: string;
  honest: Attempt[];
  refused: Attempt[];
}

const TABLE = [10n, 20n, 30n, 40n, 50n];

const simple: readonly Probe[] = [
  {
    // A read beyond an array: nothing stands there, so a prover might say what he likes.
    name: "rom",
    source: `fn main(table: pub [Field; 5], index: u32, value: pub Field) {
      assert(table[index] == value);
    }`,
    honest: [{ name: "a read", inputs: { table: TABLE, index: 3, value: 40 } }],
    refused: [5, 6, 7, 8, 255, 256, 511, 2 ** 31, 2 ** 32 - 1].map((index) => ({
      name: `a read at ${index} of 5`,
      inputs: { table: TABLE, index, value: 99 },
      says: [99n],
    })),
  },
  {
    name: "constant_rom",
    source: `global TABLE: [Field; 4] = [7, 8, 9, 10];
    fn main(index: Field, value: pub Field) {
      index.assert_max_bit_size::<9>();
      assert(TABLE[index as u32] == value);
    }`,
    honest: [{ name: "a read", inputs: { index: 2, value: 9 } }],
    refused: [4, 5, 255, 511].map((index) => ({
      name: `a read at ${index} of 4`,
      inputs: { index, value: 99 },
      says: [99n],
    })),
  },
  {
    name: "range",
    source: `fn main(a: pub Field, b: pub Field, c: pub u8, d: pub bool) {
      a.assert_max_bit_size::<120>();
      b.assert_max_bit_size::<9>();
      assert((c as Field + d as Field) != a * b + 1);
    }`,
    honest: [{ name: "the largest", inputs: { a: (1n << 120n) - 1n, b: 511, c: 255, d: true } }],
    refused: [
      { name: "2^120", inputs: { a: 1n << 120n, b: 1, c: 1, d: true } },
      { name: "2^126", inputs: { a: 1n << 126n, b: 1, c: 1, d: true } },
      { name: "-1 for 120 bits", inputs: { a: ORDER - 1n, b: 1, c: 1, d: true } },
      { name: "512 for nine bits", inputs: { a: 1, b: 512, c: 1, d: true } },
      { name: "2^14 for nine bits", inputs: { a: 1, b: 16384, c: 1, d: true } },
      { name: "256 for a byte", inputs: { a: 1, b: 1, c: 256, d: true } },
      { name: "-1 for a byte", inputs: { a: 1, b: 1, c: ORDER - 1n, d: true } },
      { name: "2 for a boolean", inputs: { a: 1, b: 1, c: 1, d: 2 } },
    ],
  },
];

const { n, p } = secp256k1.Point.CURVE();
const G = secp256k1.Point.BASE;
const Fn = secp256k1.Point.Fn;

interface Signed {
  x: bigint;
  y: bigint;
  r: bigint;
  s: bigint;
  z: bigint;
}

/** A signature of some digest by a key whose x is 1, or with an r of 1: both have a second form below 2^256. */
function smallSignature(which: "x" | "r"): Signed {
  const one = secp256k1.Point.fromAffine(secp256k1.Point.fromHex(`02${"0".repeat(63)}1`).toAffine());
  const [u1, u2] = [123456789n, 987654321n];
  // r = x(u1 G + u2 Q), s = r / u2, z = u1 s: a signature without its key.
  const key = which === "x" ? one : one.subtract(G.multiply(u1)).multiply(Fn.inv(u2));
  const r = Fn.create(G.multiply(u1).add(key.multiply(u2)).toAffine().x);
  const high = Fn.mul(r, Fn.inv(u2));
  // s and z may change their signs together.
  const s = high > n / 2n ? n - high : high;
  const z = s === high ? Fn.mul(u1, s) : Fn.mul(n - u1, s);
  return { ...key.toAffine(), r, s, z };
}

const asInputs = ({ x, y, r, s, z }: Signed): Inputs => ({
  x: bytes32(x),
  y: bytes32(y),
  signature: [...bytes32(r), ...bytes32(s)],
  digest: bytes32(z),
});

function ecdsaProbe(): Probe {
  const plain = smallSignature("x");
  const short = smallSignature("r");
  const attempt = (name: string, signed: Signed): Attempt => ({ name, inputs: asInputs(signed), says: [1n] });
  return {
    name: "ecdsa",
    source: `fn main(x: [u8; 32], y: [u8; 32], signature: [u8; 64], digest: pub [u8; 32]) {
      assert(std::ecdsa_secp256k1::verify_signature(x, y, signature, digest));
    }`,
    honest: [
      { name: "a key with x 1", inputs: asInputs(plain) },
      { name: "a signature with r 1", inputs: asInputs(short) },
    ],
    refused: [
      attempt("x + p", { ...plain, x: plain.x + p }),
      attempt("r + n", { ...short, r: short.r + n }),
      attempt("n - s", { ...plain, s: n - plain.s }),
      attempt("p - y", { ...plain, y: p - plain.y }),
      attempt("r 0", { ...plain, r: 0n }),
      attempt("s 0", { ...plain, s: 0n }),
      attempt("r n", { ...plain, r: n }),
      attempt("s n", { ...plain, s: n }),
      attempt("r and s 0", { ...plain, r: 0n, s: 0n }),
      attempt("a key of zeros", { ...plain, x: 0n, y: 0n }),
      attempt("a key that is no point", { ...plain, y: plain.y + 1n }),
      attempt("another digest", { ...plain, z: plain.z + 1n }),
      attempt("r + 1", { ...plain, r: plain.r + 1n }),
      attempt("s + 1", { ...plain, s: plain.s + 1n }),
      attempt("digest and r 0", { ...plain, r: 0n, z: 0n }),
      attempt("all zero", { x: 0n, y: 0n, r: 0n, s: 0n, z: 0n }),
    ],
  };
}

async function tryOn(
  world: World,
  subject: Subject,
  attempt: Attempt,
  tally: Tally,
  unproven: Tally,
  honest: bigint[],
): Promise<void> {
  const { circuit } = subject;
  const said = new Map<number, readonly bigint[]>();
  circuit.program.opcodes.forEach((opcode, i) => {
    const speaks = opcode.kind === "memory" || (opcode.kind === "blackbox" && opcode.outputs.length > 0);
    if (speaks && attempt.says) said.set(i, attempt.says);
  });
  const parameters = circuit.flatten(attempt.inputs);
  const checker = new ConstraintChecker(circuit.program);
  const forced = await forceWitness(circuit.program, checker, parameters, honest, said);
  const isHonest = tally.expected === "all";
  if (!forced || (forced.violated.length === 0) !== isHonest) {
    throw new Error(
      `${subject.name}, ${attempt.name}: ${forced?.violated.length ?? "too many"} constraints broken`,
    );
  }
  const proof = await world.prove(subject, packWitness(forced.values));
  unproven.count(proof === undefined, `${subject.name}: ${attempt.name}`);
  if (proof === undefined && !isHonest) return;
  const accepted = proof && (await world.verify(subject, "verifier", proof.proof, proof.publicInputs));
  tally.count(accepted ?? false, `${subject.name}: ${attempt.name}`);
}

/** What bb makes of memory, ranges and ECDSA, by circuits so small that nothing else can be in the way. */
export async function probes(log: (line: string) => void): Promise<Row[]> {
  const all = [...simple, ecdsaProbe()];
  const plans: Plan[] = [];
  for (const { name, source } of all) plans.push(await plannedProbe(name, source));
  const world = await worldOf(plans);
  if (!world) return [];
  const rows: Row[] = [];
  try {
    for (const { name, honest, refused } of all) {
      const subject = world.subjects.get(name);
      const [first] = honest;
      if (!subject || !first) throw new Error(`no probe ${name}`);
      const values = await subject.circuit.witness(first.inputs);
      const yes = new Tally("probes", `${name}, honest`, "all");
      const no = new Tally("probes", `${name}, forced`, "none");
      const unproven = new Tally("probes", `${name}, bb gave no proof`, "any");
      rows.push(yes, unproven);
      for (const attempt of honest) await tryOn(world, subject, attempt, yes, unproven, values);
      for (const attempt of refused) await tryOn(world, subject, attempt, no, unproven, values);
      for (const attempt of honest) await tryOn(world, subject, attempt, yes, unproven, values);
      // bb itself gives up on reads beyond an array: no verifier was asked, and the row of its own says so.
      if (no.tried > 0) rows.push(no);
      log(`${name}: ${no.tried} forced witnesses shown to the verifier`);
    }
  } finally {
    await world.close();
  }
  return rows;
}
