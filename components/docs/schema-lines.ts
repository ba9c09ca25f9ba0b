import type { z } from "zod";

/** One field of a documented JSON object. */
export interface SchemaLine {
  readonly name: string;
  readonly type: string;
  readonly meaning: string;
  readonly optional: boolean;
}

type Schema = z.core.JSONSchema.JSONSchema;
type AnySchema = z.core.JSONSchema._JSONSchema;

/** Fields of deeper objects are left out. */
const MAX_DEPTH = 2;

/** Replaces the boolean schema `true`, which accepts anything, by an object. */
function full(schema: AnySchema | undefined): Schema {
  return typeof schema === "object" ? schema : {};
}

function itemsOf(schema: Schema): Schema | null {
  return schema.items && !Array.isArray(schema.items) ? full(schema.items) : null;
}

function words(schema: Schema): string {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return [...new Set(choices.map(words))].join(" or ");
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const items = itemsOf(schema);
  if (items) return `list of ${words(items)}${schema.maxItems ? `, at most ${schema.maxItems}` : ""}`;
  const limit = schema.maxLength ? `, at most ${schema.maxLength} characters` : "";
  return `${schema.format ?? [schema.type ?? "any"].flat().join(" or ")}${limit}`;
}

function objectOf(schema: Schema): Schema | null {
  if (schema.properties) return schema;
  const items = itemsOf(schema);
  if (items) return objectOf(items);
  return (schema.anyOf ?? schema.oneOf)?.map(objectOf).find((found) => found !== null) ?? null;
}

/** Returns the fields of a JSON Schema, nested ones as `post.title`. */
export function schemaLines(schema: Schema, prefix = "", depth = 0): readonly SchemaLine[] {
  const shape = objectOf(schema);
  const required = new Set(shape?.required ?? []);
  return Object.entries(shape?.properties ?? {}).flatMap(([name, child]) => {
    const described = full(child);
    const line = {
      name: `${prefix}${name}`,
      type: words(described),
      meaning: described.description ?? "",
      optional: !required.has(name),
    };
    const inner = depth < MAX_DEPTH - 1 ? schemaLines(described, `${prefix}${name}.`, depth + 1) : [];
    return [line, ...inner];
  });
}
