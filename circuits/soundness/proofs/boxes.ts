import { secp256k1 } from "@noble/curves/secp256k1.js";
import { concat, type Hex, hexToBytes, keccak256 } from "viem";
import type { CircuitName } from "@/lib/proofs/deployment";
import { flatNames, type Inputs } from "../abi";
import { ConstraintChecker } from "../acir/check";
import { type Forced, forceWitness } from "../acir/force";
import { bytes32, hexOf, Maker, numberOf, type Witness } from "../attested/make";
import { withByte, withField } from "../attested/rlp";
import { bytesOf, testKey } from "../attested/witness";
import type { Circuit } from "../circuit";

/** An assignment in which only black boxes are not as they should be. */
interface Forgery {
  name: string;
  forced: Forced;
}

/** Opcodes of a black box, in the order of the program. */
function boxesOf({ program }: Circuit, box: string): number[] {
  return program.opcodes.flatMap((opcode, i) =>
    opcode.kind === "blackbox" && opcode.box === box ? [i] : [],
  );
}

/** Solves for inputs with outputs of black boxes said by the prover; only these may then be broken. */
async function forge(
  circuit: Circuit,
  honest: Inputs,
  name: string,
  inputs: Inputs,
  said: ReadonlyMap<number, readonly bigint[]>,
): Promise<Forgery> {
  const checker = new ConstraintChecker(circuit.program);
  const base = await circuit.witness(honest);
  const forced = await forceWitness(circuit.program, checker, circuit.flatten(inputs), base, said);
  const others = forced?.violated.filter((opcode) => !said.has(opcode));
  if (!forced || forced.violated.length === 0 || others?.length !== 0) {
    throw new Error(`${circuit.name}: "${name}" breaks more, or less, than the black box`);
  }
  return { name, forced };
}

/** Outputs of a black box in the honest run, the first ones replaced. */
async function outputsWith(
  circuit: Circuit,
  honest: Inputs,
  opcode: number,
  first: readonly bigint[],
): Promise<bigint[]> {
  const values = await circuit.witness(honest);
  const found = circuit.program.opcodes[opcode];
  if (found?.kind !== "blackbox") throw new RangeError(`opcode ${opcode} is no black box`);
  return found.outputs.map((output, i) => first[i] ?? values[output] ?? 0n);
}

const lanesOf = (bytes: readonly number[]) =>
  [0, 8, 16, 24].map((from) => numberOf(bytes.slice(from, from + 8).reverse()));

/** A nullifier of the prover's choice, said to be the last permutation's digest. */
async function freeNullifier(circuit: Circuit, honest: Inputs): Promise<Forgery> {
  const last = boxesOf(circuit, "Keccakf1600").at(-1) ?? 0;
  const nullifier = Array.from({ length: 32 }, (_, i) => i);
  const said = await outputsWith(circuit, honest, last, lanesOf(nullifier));
  const inputs = { ...honest, nullifier };
  return forge(
    circuit,
    honest,
    "keccak: a nullifier of the prover's choice",
    inputs,
    new Map([[last, said]]),
  );
}

/** Another state before the text, said to give the same one after its first block. */
async function freeState(circuit: Circuit, honest: Inputs): Promise<Forgery> {
  const [first = 0] = boxesOf(circuit, "Sha256Compression");
  const said = await outputsWith(circuit, honest, first, []);
  const inputs = { ...honest, partial_hash: [1, 2, 3, 4, 5, 6, 7, 8] };
  return forge(circuit, honest, "sha256: another state before the text", inputs, new Map([[first, said]]));
}

const { n } = secp256k1.Point.CURVE();

/** Signatures that are none, said to be right. The first check of the program is the user's, the second the attester's. */
const signatures: readonly (readonly [string, "user" | "attester", (witness: Witness) => void])[] = [
  ["a user's high s", "user", (w) => (w.user_signature_s = bytes32(n - numberOf(w.user_signature_s)))],
  ["a user's r one larger", "user", (w) => (w.user_signature_r = bytes32(numberOf(w.user_signature_r) + 1n))],
  ["a user's r of zero", "user", (w) => (w.user_signature_r = bytes32(0n))],
  ["a user's s of zero", "user", (w) => (w.user_signature_s = bytes32(0n))],
  ["a user's r of the order", "user", (w) => (w.user_signature_r = bytes32(n))],
  [
    "a user's r and s of the largest number",
    "user",
    (w) => {
      w.user_signature_r = bytes32((1n << 256n) - 1n);
      w.user_signature_s = bytes32((1n << 256n) - 1n);
    },
  ],
  [
    "an attester's high s",
    "attester",
    (w) => (w.attester_signature_s = bytes32(n - numberOf(w.attester_signature_s))),
  ],
  [
    "an attester's s one larger",
    "attester",
    (w) => (w.attester_signature_s = bytes32(numberOf(w.attester_signature_s) + 1n)),
  ],
];

async function freeSignatures(id: CircuitName, circuit: Circuit, honest: Inputs): Promise<Forgery[]> {
  if (id === "oidc_domain_attestation" || id === "anonymous_membership") return [];
  const maker = await Maker.of(id);
  const [user = 0, attester = 0] = boxesOf(circuit, "EcdsaSecp256k1");
  const all = new Map([user, attester].map((opcode) => [opcode, [1n]]));
  const forgeries = [];
  for (const [name, , change] of signatures) {
    const witness = await maker.witness();
    change(witness);
    forgeries.push(await forge(circuit, honest, `ecdsa: ${name}`, { ...witness }, all));
  }
  forgeries.push(
    await forge(
      circuit,
      honest,
      "ecdsa: a transaction that nobody signed",
      { ...(await unsigned(maker)) },
      all,
    ),
  );
  forgeries.push(
    await forge(circuit, honest, "ecdsa: another's signature", { ...(await stolen(maker)) }, all),
  );
  if (!maker.isCountry) {
    forgeries.push(
      await forge(circuit, honest, "ecdsa: a key that is no point", { ...(await offCurve(maker)) }, all),
    );
  }
  return forgeries;
}

/** An attestation transaction with another nonce than the one that was signed. */
async function unsigned(maker: Maker): Promise<Witness> {
  const witness = await maker.witness();
  const changed = await maker.witness({
    payload: withField(
      "nonce",
      withByte(-1, (byte) => byte ^ 2),
    ),
  });
  return { ...witness, unsigned_transaction: changed.unsigned_transaction };
}

/** Everything of one user, with the signature of another. */
async function stolen(maker: Maker): Promise<Witness> {
  const other = await maker.witness({ userKey: testKey(1, 5) });
  const { user_signature_r, user_signature_s } = other;
  return { ...(await maker.witness()), user_signature_r, user_signature_s };
}

/** A key that is not on the curve, with an attestation and a nullifier for the address that would be its. */
async function offCurve(maker: Maker): Promise<Witness> {
  const { user_pubkey_x: x, user_pubkey_y } = await maker.witness();
  const y = bytes32(numberOf(user_pubkey_y) + 1n);
  const address: Hex = `0x${keccak256(Uint8Array.from([...x, ...y])).slice(-40)}`;
  const account = hexToBytes(address);
  const payload = (honest: Uint8Array) => honest.map((byte, i) => account[i - (honest.length - 21)] ?? byte);
  const witness = await maker.witness({ payload });
  // The tag is the circuit's id, which the honest nullifier has, too.
  const inner = keccak256(concat([address, keccak256(new TextEncoder().encode(maker.circuit))]));
  const nullifier = bytesOf(keccak256(concat([inner, hexOf(witness.scope)])));
  return { ...witness, user_pubkey_y: y, nullifier };
}

/** Nullifiers and a commitment of the prover's choice, and a root that the leaf is not under: what a hash is said to be. */
async function freeHashes(circuit: Circuit, honest: Inputs): Promise<Forgery[]> {
  const values = await circuit.witness(honest);
  const words = flatNames(circuit.abi).map(({ name }) => name);
  const forgeries = [];
  for (const word of ["root", "slot_nullifier", "scope_nullifier", "tag_commitment"]) {
    const right = values[words.indexOf(word)] ?? 0n;
    const box = boxesOf(circuit, "Poseidon2Permutation").find((opcode) => {
      const found = circuit.program.opcodes[opcode];
      return found?.kind === "blackbox" && values[found.outputs[0] ?? -1] === right;
    });
    if (box === undefined) throw new Error(`${circuit.name}: no hash gives ${word}`);
    const said = await outputsWith(circuit, honest, box, [right + 1n]);
    const inputs = { ...honest, [word]: right + 1n };
    forgeries.push(
      await forge(
        circuit,
        honest,
        `poseidon2: ${word} of the prover's choice`,
        inputs,
        new Map([[box, said]]),
      ),
    );
  }
  return forgeries;
}

/** What a prover could say if the backend did not check its black boxes. */
export async function forgedBoxes(id: CircuitName, circuit: Circuit, honest: Inputs): Promise<Forgery[]> {
  if (id === "anonymous_membership") return freeHashes(circuit, honest);
  return [
    await freeNullifier(circuit, honest),
    ...(id === "oidc_domain_attestation" ? [await freeState(circuit, honest)] : []),
    ...(await freeSignatures(id, circuit, honest)),
  ];
}
