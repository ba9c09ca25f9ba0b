import { isDeepStrictEqual } from "node:util";
import { z } from "zod";

/** A JSON object of an OpenAPI document. */
export type Json = Record<string, unknown>;

/** A JSON Schema. */
export type JsonSchema = z.core.JSONSchema.JSONSchema;

/** `input` describes what a client may send, `output` what a handler returns. */
type Direction = "input" | "output";

/** What fields mean that say nothing of themselves, by name. */
export type Meanings = Readonly<Record<string, string>>;

/**
 * Converts a zod schema to JSON Schema, with everything it contains in place. `.meta({openapi})` replaces the generated
 * description: some fields accept several forms on the wire (a number in a query is a string) but mean one. Custom schemas
 * (hex, addresses) are strings.
 */
export function toJsonSchema(schema: z.core.$ZodType, io: Direction, meanings: Meanings = {}): JsonSchema {
  const { $schema: _, ...described } = z.toJSONSchema(schema, { ...settings(io), metadata: unnamed });
  explain(described, meanings);
  return described;
}

/** Describes the properties that no description stands at. */
function explain(schema: unknown, meanings: Meanings): void {
  if (typeof schema !== "object" || schema === null) return;
  for (const [keyword, part] of Object.entries(schema)) {
    explain(part, meanings);
    if (keyword !== "properties") continue;
    for (const [name, property] of Object.entries<unknown>(part)) {
      const meaning = meanings[name];
      if (meaning === undefined || typeof property !== "object" || property === null) continue;
      if (!("description" in property || "$ref" in property))
        Object.assign(property, { description: meaning });
    }
  }
}

/** Metadata without names. */
class Unnamed extends z.core.$ZodRegistry<z.core.GlobalMeta> {
  override get(schema: z.core.$ZodType) {
    const { id: _, ...meta } = z.globalRegistry.get(schema) ?? {};
    return meta;
  }
}
const unnamed = new Unnamed();

/** What the descriptions of one document share. */
export interface Components {
  /** Schemas with a name, `.meta({id})`, by that name. */
  readonly schemas: Record<string, Json>;
  /** Converts a schema as `toJsonSchema` does, but refers to named ones. @throws Error when two have the same name */
  describe(schema: z.core.$ZodType, io: Direction): Json;
}

/** Starts the components of a document. */
export function newComponents(meanings: Meanings = {}): Components {
  const schemas: Record<string, Json> = {};
  const describe = (schema: z.core.$ZodType, io: Direction) => {
    const { $schema: _, $defs = {}, ...described } = z.toJSONSchema(schema, settings(io));
    explain({ ...described, $defs }, meanings);
    for (const [name, definition] of Object.entries($defs)) {
      const known = schemas[name];
      const given = referring({ ...definition });
      if (known && !isDeepStrictEqual(known, given)) throw new Error(`two schemas are named ${name}`);
      schemas[name] = given;
    }
    return extending(referring(described), schemas);
  };
  return { schemas, describe };
}

/** An object with fewer fields is as short as what would refer to it. */
const FIELDS_WORTH_SHARING = 8;

/** Has an object that has every field of a named one refer to it, and say only what it adds. */
function extending(schema: Json, named: Readonly<Record<string, Json>>): Json {
  const inside = Object.fromEntries(
    Object.entries(schema).map(([keyword, part]) => [keyword, within(part, named)]),
  );
  const fields = entriesOf(inside.properties);
  for (const [name, base] of Object.entries(named)) {
    const shared = entriesOf(base.properties);
    if (shared.length < FIELDS_WORTH_SHARING || fields.length < shared.length) continue;
    const own = Object(inside.properties);
    if (!shared.every(([field, described]) => isDeepStrictEqual(own[field], described))) continue;
    const [required, everywhere] = [new Set([inside.required].flat()), [base.required].flat()];
    if (!everywhere.every((field) => required.has(field))) continue;
    const added = Object.fromEntries(fields.filter(([field]) => !shared.some(([one]) => one === field)));
    const needed = [...required].filter((field) => typeof field === "string" && field in added);
    const rest = { ...inside, properties: added, required: needed };
    return { allOf: [{ $ref: schemaRef(name) }, rest] };
  }
  return inside;
}

const entriesOf = (properties: unknown) => Object.entries<unknown>(Object(properties));

function within(part: unknown, named: Readonly<Record<string, Json>>): unknown {
  if (Array.isArray(part)) return part.map((one) => within(one, named));
  if (typeof part !== "object" || part === null) return part;
  return extending({ ...part }, named);
}

/** Points references to where the document has the schemas. */
function referring(described: Json): Json {
  const text = JSON.stringify(described).replaceAll('"$ref":"#/$defs/', `"$ref":"${schemaRef("")}`);
  return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
}

/** Converts named zod schemas to `components.schemas`. A schema that contains another one refers to it by `$ref`. */
export function toComponentSchemas(
  schemas: Readonly<Record<string, z.ZodType>>,
  io: Direction,
  meanings: Meanings = {},
): Json {
  const names = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(schemas)) names.add(schema, { id });
  const described = z.toJSONSchema(names, { ...settings(io), uri: schemaRef });
  explain(described.schemas, meanings);
  return Object.fromEntries(
    Object.entries(described.schemas).map(([name, { $schema: _, $id: __, ...schema }]) => [name, schema]),
  );
}

/** Returns the `$ref` of a named schema. */
export const schemaRef = (name: string) => `#/components/schemas/${name}`;

/** Describes each field of an object schema as a parameter. */
export function describeParameters(
  schema: z.ZodObject | undefined,
  place: "path" | "query" | "header",
  meanings: Meanings = {},
): Json[] {
  return Object.entries(schema?.shape ?? {}).map(([name, field]) => {
    const { description = meanings[name], ...json } = toJsonSchema(field, "input", meanings);
    return {
      name,
      in: place,
      required: place === "path" || !z.safeParse(field, undefined).success,
      ...(description !== undefined && { description }),
      schema: json,
    };
  });
}

/** Builds the `paths` object. */
export function describePaths<O extends { readonly path: string; readonly method: string }>(
  operations: readonly O[],
  describeOperation: (operation: O) => Json,
): Record<string, Json> {
  const paths: Record<string, Json> = {};
  for (const op of operations) {
    paths[op.path] = { ...paths[op.path], [op.method.toLowerCase()]: describeOperation(op) };
  }
  return paths;
}

const settings = (io: Direction) =>
  ({
    io,
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema: target }) => {
      if (zodSchema._zod.def.type === "custom") target.type = "string";
      // The format says it shorter.
      if (target.format === "uuid" || target.format === "date-time") delete target.pattern;
      // A later version may add fields to answers.
      if (io === "output" && target.additionalProperties === false) delete target.additionalProperties;
      if (typeof target.openapi !== "object" || target.openapi === null) return;
      const { openapi, description } = target;
      for (const key of Object.keys(target)) delete target[key];
      Object.assign(target, openapi, description !== undefined && { description });
    },
  }) satisfies z.core.ToJSONSchemaParams;
