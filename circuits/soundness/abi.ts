import type { Abi } from "@/scripts/circuits/compile";

/** A parameter's value. Numbers are field elements: any of them, in range of the parameter's type or not. */
export type Value = bigint | number | boolean | Value[] | { [field: string]: Value };

/** Values of a circuit's parameters, by name. */
export type Inputs = Record<string, Value>;

type AbiType = Abi["parameters"][number]["type"];

/**
 * The circuit's parameters as field elements, in the order of its witnesses.
 *
 * noir_js would refuse a byte of 256 before any constraint sees it. A hostile prover does not use noir_js.
 *
 * @throws RangeError when the shape of the inputs is not the circuit's.
 */
export function flatten(abi: Abi, inputs: Inputs): bigint[] {
  const known = new Set(abi.parameters.map(({ name }) => name));
  const unknown = Object.keys(inputs).find((name) => !known.has(name));
  if (unknown !== undefined) throw new RangeError(`the circuit has no parameter ${unknown}`);
  return abi.parameters.flatMap(({ name, type }) => flattenValue(type, inputs[name], name));
}

function flattenValue(type: AbiType, value: Value | undefined, at: string): bigint[] {
  switch (type.kind) {
    case "array":
      if (!Array.isArray(value) || value.length !== type.length) {
        throw new RangeError(`${at} must be a list of ${type.length}`);
      }
      return value.flatMap((item, i) => flattenValue(type.type, item, `${at}[${i}]`));
    case "struct":
      if (typeof value !== "object" || Array.isArray(value)) throw new RangeError(`${at} must be an object`);
      return type.fields.flatMap((field) =>
        flattenValue(field.type, value[field.name], `${at}.${field.name}`),
      );
    case "field":
    case "integer":
    case "boolean":
      if (typeof value !== "bigint" && typeof value !== "number" && typeof value !== "boolean") {
        throw new RangeError(`${at} must be a number`);
      }
      return [BigInt(value)];
    default:
      throw new RangeError(`${at}: parameters of kind ${type.kind} are not known here`);
  }
}

/** Names of a circuit's flattened parameters, for example `nonce.storage[3]`; and whether each is public. */
export function flatNames(abi: Abi): { name: string; isPublic: boolean }[] {
  const named = (type: AbiType, at: string): string[] => {
    if (type.kind === "array") {
      return Array.from({ length: type.length }, (_, i) => named(type.type, `${at}[${i}]`)).flat();
    }
    if (type.kind === "struct")
      return type.fields.flatMap((field) => named(field.type, `${at}.${field.name}`));
    return [at];
  };
  return abi.parameters.flatMap(({ name, type, visibility }) =>
    named(type, name).map((flat) => ({ name: flat, isPublic: visibility === "public" })),
  );
}

/** Bits of each flattened parameter: 254 for a field, 1 for a boolean. */
export function flatBits(abi: Abi): number[] {
  const bits = (type: AbiType): number[] => {
    if (type.kind === "array") return Array.from({ length: type.length }, () => bits(type.type)).flat();
    if (type.kind === "struct") return type.fields.flatMap((field) => bits(field.type));
    if (type.kind === "integer") return [type.width];
    return [type.kind === "boolean" ? 1 : 254];
  };
  return abi.parameters.flatMap(({ type }) => bits(type));
}
