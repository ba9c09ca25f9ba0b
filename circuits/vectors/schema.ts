import { concat, type Hex, hexToBytes, isHex, toHex } from "viem";
import { z } from "zod";
import { circuitIdSchema, circuitIds } from "@/lib/proofs/deployment";
import { circuits } from "@/lib/proofs/registry";
import type { Abi } from "@/scripts/circuits/compile";
import { type Case, type Circuit, flatNames, type Inputs, type Value } from "../soundness";

/** The form of circuits/vectors/*.json. */

export const hex = z.custom<Hex>((value) => isHex(value, { strict: true }));

/** A parameter's value: a number, a boolean, 0x digits (of a larger number, or of bytes), or a list or object of these. */
export type Written = number | boolean | Hex | Written[] | { [field: string]: Written };
const written: z.ZodType<Written> = z.lazy(() =>
  z.union([z.number(), z.boolean(), hex, z.array(written), z.record(z.string(), written)]),
);

export const VectorCase = z.object({
  name: z.string(),
  expected: z.enum(["accepted", "refused"]),
  /** What the circuit says when it refuses; absent where the assertion has no text. */
  reason: z.string().optional(),
  inputs: z.record(z.string(), written),
  /** Of accepted cases: the public inputs as one blob of 32-byte words, as a verifier gets them. */
  publicInputs: hex.optional(),
});
export type VectorCase = z.infer<typeof VectorCase>;

const common = {
  about: z.string(),
  circuit: z.enum(circuitIds),
  cases: z.array(VectorCase),
};

export const OidcVectors = z.object({
  ...common,
  issuer: z.object({ seed: z.string(), modulus: hex, exponent: z.number(), p: hex, q: hex }),
  derivations: z.object({
    scopes: z.array(z.object({ text: z.string(), word: hex })),
    nullifiers: z.array(z.object({ email: z.string(), domain: z.string(), scope: hex, nullifier: hex })),
    limbs: z.array(z.object({ what: z.string(), value: hex, limbs: z.array(hex) })),
    /** SHA-256 state after the blocks of the signed text that are not in partial_data. */
    partialHashes: z.array(z.object({ blocks: hex, state: z.array(z.number()) })),
    redc: z.object({ modulus: hex, value: hex }),
  }),
  tokens: z.array(z.object({ name: z.string(), jwt: z.string(), payload: z.string() })),
});
export type OidcVectors = z.infer<typeof OidcVectors>;

const address = hex;
export const AttestedVectors = z.object({
  ...common,
  build: z.literal("production"),
  attester: z.object({ chainId: z.number(), contract: address, selector: hex }),
  keys: z.object({ users: z.array(hex), signers: z.array(hex) }),
  derivations: z.object({
    tag: hex,
    scopes: z.array(z.object({ text: z.string(), word: hex })),
    signalHashes: z.array(
      z.object({ user: address, scope: z.string(), nonce: z.string().optional(), signalHash: hex }),
    ),
    nullifiers: z.array(z.object({ user: address, tag: hex, scope: hex, nullifier: hex })),
    trees: z.array(
      z.object({ signers: z.array(address), leaves: z.array(hex), root: hex, proofs: z.array(z.array(hex)) }),
    ),
    actions: z.array(
      z.object({
        typedData: z.record(z.string(), z.unknown()),
        domainSeparator: hex,
        actionHash: hex,
        digest: hex,
      }),
    ),
  }),
});
export type AttestedVectors = z.infer<typeof AttestedVectors>;

export const AnonymousVectors = z.object({
  ...common,
  circuit: z.literal("anonymous_membership"),
  derivations: z.object({
    hashes: z.array(z.object({ purpose: z.string(), domain: z.number(), left: hex, right: hex, hash: hex })),
    members: z.array(
      z.object({
        ...{ secret: hex, topic: hex, leaf: hex },
        ...{ epoch: hex, slot: z.number(), slotNullifier: hex },
        ...{ scope: hex, scopeNullifier: hex },
        ...{ week: hex, tag: hex, blinding: hex, tagCommitment: hex },
      }),
    ),
    trees: z.array(z.object({ leaves: z.array(hex), place: z.number(), siblings: z.array(hex), root: hex })),
  }),
});
export type AnonymousVectors = z.infer<typeof AnonymousVectors>;

type AbiType = Abi["parameters"][number]["type"];

const isByteList = (type: AbiType) =>
  type.kind === "array" && type.type.kind === "integer" && type.type.width === 8;

/** Parameters as a file holds them: bytes as one hex string, numbers above 2^53 in hex. */
function writeInputs(abi: Abi, inputs: Inputs): Record<string, Written> {
  return Object.fromEntries(abi.parameters.map(({ name, type }) => [name, write(type, inputs[name])]));
}

function write(type: AbiType, value: Value | undefined): Written {
  if (isByteList(type) && Array.isArray(value)) {
    // A byte beyond 255 cannot be written: such cases are no vectors.
    return toHex(Uint8Array.from(value, (byte) => checkedByte(Number(byte))));
  }
  if (type.kind === "array" && Array.isArray(value)) return value.map((item) => write(type.type, item));
  if (type.kind === "struct" && typeof value === "object" && !Array.isArray(value)) {
    return Object.fromEntries(type.fields.map((field) => [field.name, write(field.type, value[field.name])]));
  }
  if (typeof value === "boolean") return value;
  if (typeof value === "number" || typeof value === "bigint") {
    return BigInt(value) <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : toHex(BigInt(value));
  }
  throw new RangeError("the inputs are not the circuit's");
}

function checkedByte(byte: number): number {
  if (byte < 0 || byte > 255) throw new RangeError("a byte of a vector is 0 to 255");
  return byte;
}

/** The inverse of `writeInputs`. */
export function readInputs(abi: Abi, inputs: Record<string, Written>): Inputs {
  return Object.fromEntries(abi.parameters.map(({ name, type }) => [name, read(type, inputs[name])]));
}

function read(type: AbiType, value: Written | undefined): Value {
  if (isByteList(type) && typeof value === "string") return [...hexToBytes(value)];
  if (type.kind === "array" && Array.isArray(value)) return value.map((item) => read(type.type, item));
  if (type.kind === "struct" && typeof value === "object" && !Array.isArray(value)) {
    return Object.fromEntries(type.fields.map((field) => [field.name, read(field.type, value[field.name])]));
  }
  if (typeof value === "string") return BigInt(value);
  if (typeof value === "number" || typeof value === "boolean") return value;
  throw new RangeError("the vector's inputs are not the circuit's");
}

/** What every file says first. */
export const ABOUT =
  "Test vectors of Parley's circuits; circuits/vectors/README.md says what is what. All keys are made from public seeds: they are no secrets, and nothing they sign means anything.";

/** The public inputs of a case as callers pass them, one word each: without the digest that a verifier appends. */
function publicInputsOf(circuit: Circuit, { inputs }: Case): Hex {
  const values = circuit.flatten(inputs);
  const words = flatNames(circuit.abi).flatMap(({ isPublic }, i) =>
    isPublic ? [toHex(values[i] ?? 0n, { size: 32 })] : [],
  );
  const id = circuitIdSchema.safeParse(circuit.name);
  return concat(id.success ? words.slice(0, circuits[id.data].publicWords) : words);
}

/** Compiler's texts of refusals that are no assertion of ours. */
const NO_TEXT = /^(Cannot satisfy|call to assert_max_bit_size|Index out of bounds)/;

/** Runs a case and writes it down with what the circuit said. @throws Error when that is not what was expected. */
export async function vectorOf(
  circuit: Circuit,
  one: Case,
  expected: VectorCase["expected"],
): Promise<VectorCase> {
  const verdict = await circuit.run(one.inputs, one);
  if (verdict.accepted !== (expected === "accepted")) throw new Error(`${one.name} is not ${expected}`);
  const reason = verdict.accepted || NO_TEXT.test(verdict.reason) ? undefined : verdict.reason;
  return {
    name: one.name,
    expected,
    ...(reason === undefined ? {} : { reason }),
    inputs: writeInputs(circuit.abi, circuit.complete(one.inputs)),
    ...(verdict.accepted ? { publicInputs: publicInputsOf(circuit, one) } : {}),
  };
}
