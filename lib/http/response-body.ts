import { z } from "zod";

/** Returns the declared part of a value, or `mismatch`. */
type Check = (value: unknown) => unknown;

const mismatch = Symbol("mismatch");

const bySchema = new WeakMap<z.ZodType, Check>();

/**
 * Returns the declared part of a response body: what `schema.parse` returns, without its cost per value, which for a list
 * is as much as everything else our code does. Undeclared fields are stripped: an extra column never leaves the server.
 * What is declared as it is stays the same object.
 *
 * @throws ZodError for a body that does not match
 */
export function declaredPart(schema: z.ZodType, body: unknown): unknown {
  let check = bySchema.get(schema);
  if (!check) {
    check = checkOf(schema);
    bySchema.set(schema, check);
  }
  const part = check(body);
  // The schema says what is wrong.
  return part === mismatch ? schema.parse(body) : part;
}

/** Kinds without a case here, and all with rules of their own, such as a length, are left to their schema. */
function checkOf(schema: z.core.$ZodType): Check {
  const left = leftTo(schema);
  if (schema._zod.def.checks?.length) return left;
  if (schema instanceof z.ZodObject && !schema.def.catchall) return objectOf(schema.shape);
  if (schema instanceof z.ZodArray) return arrayOf(checkOf(schema.element));
  if (schema instanceof z.ZodNullable) return eitherOf(null, left, checkOf(schema.unwrap()));
  if (schema instanceof z.ZodOptional) return eitherOf(undefined, left, checkOf(schema.unwrap()));
  if (schema instanceof z.ZodEnum) return oneOf(schema.options);
  if (schema instanceof z.ZodLiteral) return oneOf([...schema.values]);
  if (schema instanceof z.ZodBoolean) return only((value) => typeof value === "boolean");
  if (schema instanceof z.ZodString) return only((value) => typeof value === "string");
  if (schema instanceof z.ZodUUID || schema instanceof z.ZodISODateTime) {
    const { pattern } = schema._zod.def;
    return pattern ? only((value) => typeof value === "string" && pattern.test(value)) : left;
  }
  if (schema instanceof z.ZodNumberFormat) {
    return schema._zod.def.format === "safeint" ? only(Number.isSafeInteger) : left;
  }
  if (schema instanceof z.ZodNumber) return only(Number.isFinite);
  return left;
}

function leftTo(schema: z.core.$ZodType): Check {
  return (value) => {
    const result = z.safeParse(schema, value);
    return result.success ? result.data : mismatch;
  };
}

function only(matches: (value: unknown) => boolean): Check {
  return (value) => (matches(value) ? value : mismatch);
}

function oneOf(values: readonly unknown[]): Check {
  const known = new Set(values);
  return only((value) => known.has(value));
}

function eitherOf(nothing: null | undefined, whenNothing: Check, otherwise: Check): Check {
  return (value) => (value === nothing ? whenNothing(value) : otherwise(value));
}

function arrayOf(check: Check): Check {
  return (value) => {
    if (!Array.isArray(value)) return mismatch;
    const items: readonly unknown[] = value;
    let copy: unknown[] | undefined;
    for (let index = 0; index < items.length; index += 1) {
      const part = check(items[index]);
      if (part === mismatch) return mismatch;
      if (!copy && part !== items[index]) copy = items.slice(0, index);
      copy?.push(part);
    }
    return copy ?? items;
  };
}

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function objectOf(shape: z.core.$ZodLooseShape): Check {
  const names = Object.keys(shape);
  const checks = Object.values(shape).map(checkOf);
  return (value) => {
    if (!isFields(value)) return mismatch;
    const given = Object.keys(value);
    // Without surplus or missing fields and in the declared order, it is already what is sent.
    let copy = given.length === names.length ? undefined : firstOf(value, names, 0);
    for (const [index, name] of names.entries()) {
      const part = checks[index]?.(value[name]);
      if (part === mismatch) return mismatch;
      if (!copy && (part !== value[name] || given[index] !== name)) copy = firstOf(value, names, index);
      if (copy && part !== undefined) copy[name] = part;
    }
    return copy ?? value;
  };
}

/** Copies the first fields. */
function firstOf(value: Fields, names: readonly string[], count: number): Record<string, unknown> {
  return Object.fromEntries(names.slice(0, count).map((name) => [name, value[name]]));
}
