import { getAddress, isAddress, isHex } from "viem";

/** Struct types of EIP-712 by name. */
export type StructTypes = Readonly<Record<string, readonly { name: string; type: string }[]>>;

/** A type of EIP-712, taken apart. */
export type Kind =
  | { kind: "integer"; signed: boolean; bits: number }
  /** `size` null: of any length. */
  | { kind: "bytes"; size: number | null }
  | { kind: "address" | "bool" | "string" }
  /** `length` null: of any length. */
  | { kind: "array"; of: string; length: number | null }
  | { kind: "struct"; members: readonly { name: string; type: string }[] };

/** Reads the name of a type; null when there is no such type. `uint` and `int` without a size are none (EIP-712). */
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
export class ActionProblem extends Error {
  override readonly name = "ActionProblem";
  constructor(
    /** Path of the value, e.g. `message.items[0].price`. */
    readonly path: string,
    readonly rule: string,
  ) {
    super(`${path}: ${rule}`);
  }
}

/** Most values an action may have: what a person could still be shown. */
const MOST_VALUES = 1000;
const DEEPEST = 32;

/** Brings the values of one message into their one JSON form, counting them. */
export class ValueReader {
  #left = MOST_VALUES;
  constructor(private readonly types: StructTypes) {}

  /**
   * @param type a type's name.
   * @returns integers as decimal strings, addresses checksummed, bytes in lower case, structs with exactly their members.
   * @throws ActionProblem
   */
  read(type: string, value: unknown, path: string, depth = 0): unknown {
    const refuse = (rule: string) => new ActionProblem(path, rule);
    if (this.#left-- <= 0 || depth > DEEPEST) throw refuse("the action has too many values");
    const kind = kindOf(type, this.types);
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

  /** A member without a type would be shown and not signed; one without a value could be signed as anything. */
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
  // BigInt() would take spaces and the empty string too.
  if (typeof value !== "string" || value.length > 80) return null;
  return /^(-?(0|[1-9][0-9]*)|0x[0-9a-fA-F]+)$/.test(value) ? BigInt(value) : null;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
