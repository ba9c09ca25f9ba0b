import {
  type Address,
  domainSeparator,
  getAddress,
  getTypesForEIP712Domain,
  type Hex,
  hashStruct,
  isAddress,
  isHex,
} from "viem";
import { z } from "zod";
import { actionDigest } from "../derivations";
import { ProofInputError } from "../errors";
import { addressSchema, hex32Schema } from "../hex";

/** EIP-712 typed data that a wallet authorizes; integers of the message are decimal strings (JSON-safe). */
export type Action = {
  domain: { name: string; version: string; chainId: number; verifyingContract: Address; salt?: Hex };
  /** Struct types without EIP712Domain, which follows from the domain. */
  types: Record<string, { name: string; type: string }[]>;
  primaryType: string;
  message: Record<string, unknown>;
};

const DOMAIN_TYPE = "EIP712Domain";

/** Every field is required: the domain binds an action to its application and chain. */
const domainSchema = z.strictObject({
  name: z.string().min(1).max(1000),
  version: z.string().min(1).max(1000),
  chainId: z
    .union([z.int(), z.string().regex(/^[1-9][0-9]{0,15}$/), z.bigint()])
    .transform(Number)
    .pipe(z.int().positive())
    .meta({ openapi: { type: ["integer", "string"] } }),
  verifyingContract: addressSchema,
  salt: hex32Schema.optional(),
});

/** Rejects names of inherited object properties and, for structs, names that viem reads as Solidity types. */
const nameSchema = z
  .string()
  .max(100)
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "must be an identifier")
  .refine((name) => !(name in Object.prototype), { error: "must not be the name of a built-in property" });
const structNameSchema = nameSchema.refine(
  (name) => !/^(bytes|uint|int)|^(address|bool|string)$/.test(name),
  { error: "must not look like a Solidity type" },
);
const membersSchema = z
  .array(z.object({ name: nameSchema, type: z.string().max(200) }))
  .max(100)
  .refine((members) => new Set(members.map(({ name }) => name)).size === members.length, {
    error: "must not name a member twice",
  });

const rawSchema = z.object({
  domain: domainSchema,
  types: z.record(structNameSchema, membersSchema).refine((types) => Object.keys(types).length <= 100),
  primaryType: z.string(),
  message: z.custom<Record<string, unknown>>(isRecord, { error: "must be an object" }),
});

/**
 * Reads, checks and normalizes an action: every value fits its type, none is missing and none stays unsigned. The result
 * has the same hashes and a single JSON form.
 */
export const actionSchema: z.ZodType<Action, unknown> = rawSchema.transform((raw, context) => {
  try {
    return normalize(raw);
  } catch (error) {
    if (!(error instanceof ActionProblem)) throw error;
    context.addIssue({ code: "custom", path: [error.path], message: error.rule });
    return z.NEVER;
  }
});

function normalize(raw: z.infer<typeof rawSchema>): Action {
  const { [DOMAIN_TYPE]: domainType, ...types } = raw.types;
  const { salt, ...fields } = raw.domain;
  const domain = salt ? { ...fields, salt } : fields;
  const canonical = getTypesForEIP712Domain({ domain });
  // Typed data may define its domain fields; omitting some would sign less than is shown.
  if (domainType && JSON.stringify(domainType) !== JSON.stringify(canonical)) {
    throw new ActionProblem(`types.${DOMAIN_TYPE}`, "must be the fields of the domain in EIP-712 order");
  }
  if (kindOf(raw.primaryType, types)?.kind !== "struct") {
    throw new ActionProblem("primaryType", "must be one of the struct types");
  }
  checkTypes(types);
  const message = new ValueReader(types).read(raw.primaryType, raw.message, "message");
  if (!isRecord(message)) throw new ActionProblem("message", "must be an object");
  return { domain, types, primaryType: raw.primaryType, message };
}

function checkTypes(types: StructTypes): void {
  for (const [struct, members] of Object.entries(types)) {
    for (const { name, type } of members) {
      let kind = kindOf(type, types);
      while (kind?.kind === "array") kind = kindOf(kind.of, types);
      if (!kind) throw new ActionProblem(`types.${struct}.${name}`, "has a type that is not defined");
    }
  }
}

/**
 * Reads an action from a caller's data.
 * @throws ProofInputError ACTION_INVALID naming the first invalid part.
 */
export function readAction(action: unknown): Action {
  const parsed = actionSchema.safeParse(action);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ProofInputError(
    "ACTION_INVALID",
    ["action", ...(issue?.path ?? [])].join("."),
    `the action cannot be signed: ${issue?.message}`,
  );
}

type ActionHashes = {
  /** EIP-712 domain hash. */
  domainSeparator: Hex;
  /** hashStruct(primaryType, message). */
  actionHash: Hex;
  /** keccak256(0x1901 ‖ domainSeparator ‖ actionHash): what the wallet signs. */
  digest: Hex;
};

/** Hashes an action (EIP-712). @param action as returned by `actionSchema` or `readAction`. */
export function hashesOf({ domain, types, primaryType, message }: Action): ActionHashes {
  const separator = domainSeparator({ domain });
  const actionHash = hashStruct({ data: message, primaryType, types });
  return { domainSeparator: separator, actionHash, digest: actionDigest(separator, actionHash) };
}

/** Struct types of EIP-712 by name. */
type StructTypes = Readonly<Record<string, readonly { name: string; type: string }[]>>;

/** A parsed type of EIP-712. */
type Kind =
  | { kind: "integer"; signed: boolean; bits: number }
  /** `size` null: of any length. */
  | { kind: "bytes"; size: number | null }
  | { kind: "address" | "bool" | "string" }
  /** `length` null: of any length. */
  | { kind: "array"; of: string; length: number | null }
  | { kind: "struct"; members: readonly { name: string; type: string }[] };

/** Parses the name of a type; null if there is no such type. EIP-712 has no `uint` or `int` without a size. */
export function kindOf(type: string, types: StructTypes): Kind | null {
  const array = /^(.+)\[([1-9][0-9]{0,5})?\]$/.exec(type);
  if (array?.[1]) return { kind: "array", of: array[1], length: array[2] ? Number(array[2]) : null };
  const integer = /^(u?)int([1-9][0-9]{0,2})$/.exec(type);
  if (integer) {
    const bits = Number(integer[2]);
    return bits % 8 === 0 && bits <= 256 ? { kind: "integer", signed: integer[1] === "", bits } : null;
  }
  const bytes = /^bytes([1-9][0-9]?)?$/.exec(type);
  if (bytes) {
    const size = bytes[1] ? Number(bytes[1]) : null;
    return size === null || size <= 32 ? { kind: "bytes", size } : null;
  }
  if (type === "address" || type === "bool" || type === "string") return { kind: type };
  const members = Object.hasOwn(types, type) ? types[type] : undefined;
  return members ? { kind: "struct", members } : null;
}

/** A value that its type does not allow. The message names the rule, never the value. */
class ActionProblem extends Error {
  override readonly name = "ActionProblem";
  constructor(
    /** Path of the value, e.g. `message.items[0].price`. */
    readonly path: string,
    readonly rule: string,
  ) {
    super(`${path}: ${rule}`);
  }
}

/** Limits of an action: as much as a person can review. */
const MAX_VALUES = 1000;
const MAX_DEPTH = 32;

/** Converts the values of one message to their single JSON form and counts them. */
class ValueReader {
  readonly #types: StructTypes;
  #left = MAX_VALUES;

  constructor(types: StructTypes) {
    this.#types = types;
  }

  /**
   * @param type name of the value's type.
   * @returns integers as decimal strings, addresses checksummed, bytes in lower case, structs with exactly their members.
   * @throws ActionProblem
   */
  read(type: string, value: unknown, path: string, depth = 0): unknown {
    const refuse = (rule: string) => new ActionProblem(path, rule);
    if (this.#left-- <= 0 || depth > MAX_DEPTH) throw refuse("the action has too many values");
    const kind = kindOf(type, this.#types);
    if (!kind) throw refuse("has a type that is not defined");
    switch (kind.kind) {
      case "integer":
        return readInteger(kind, value, refuse);
      case "bytes": {
        if (!isHex(value, { strict: true }) || value.length % 2 !== 0) {
          throw refuse("must be 0x-prefixed hex of whole bytes");
        }
        if (kind.size !== null && value.length !== 2 + kind.size * 2)
          throw refuse(`must have ${kind.size} bytes`);
        return value.toLowerCase();
      }
      case "address":
        if (typeof value !== "string" || !isAddress(value, { strict: false }))
          throw refuse("must be an address");
        return getAddress(value);
      case "bool":
        if (typeof value !== "boolean") throw refuse("must be true or false");
        return value;
      case "string":
        if (typeof value !== "string" || /\p{Surrogate}/u.test(value))
          throw refuse("must be well-formed text");
        return value;
      case "array": {
        if (!Array.isArray(value)) throw refuse("must be a list");
        const entries: readonly unknown[] = value;
        if (kind.length !== null && entries.length !== kind.length) {
          throw refuse(`must have ${kind.length} entries`);
        }
        return entries.map((entry, i) => this.read(kind.of, entry, `${path}[${i}]`, depth + 1));
      }
      case "struct":
        return this.#struct(kind.members, value, path, depth);
    }
  }

  /** Requires exactly the type's members: an extra one would be shown but not signed, a missing one would sign as anything. */
  #struct(members: readonly { name: string; type: string }[], value: unknown, path: string, depth: number) {
    if (!isRecord(value)) throw new ActionProblem(path, "must be an object");
    const unsigned = Object.keys(value).find((key) => !members.some(({ name }) => name === key));
    if (unsigned !== undefined) throw new ActionProblem(path, "has a member that its type does not have");
    return Object.fromEntries(
      members.map(({ name, type }) => {
        const inner = `${path}.${name}`;
        if (!Object.hasOwn(value, name)) throw new ActionProblem(inner, "is missing");
        return [name, this.read(type, value[name], inner, depth + 1)];
      }),
    );
  }
}

function readInteger(
  { signed, bits }: { signed: boolean; bits: number },
  value: unknown,
  refuse: (rule: string) => ActionProblem,
): string {
  const number = toInteger(value);
  if (number === null) throw refuse("must be a whole number: a decimal or 0x string, or a safe integer");
  const most = 1n << BigInt(signed ? bits - 1 : bits);
  if (number >= most || number < (signed ? -most : 0n)) throw refuse(`does not fit into ${bits} bits`);
  return number.toString();
}

function toInteger(value: unknown): bigint | null {
  if (typeof value === "bigint") return value;
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : null;
  // BigInt() also accepts spaces and the empty string.
  if (typeof value !== "string" || value.length > 80) return null;
  return /^(-?(0|[1-9][0-9]*)|0x[0-9a-fA-F]+)$/.test(value) ? BigInt(value) : null;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
