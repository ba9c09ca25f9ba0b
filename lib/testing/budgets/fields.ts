import type { Schema } from "../fuzz/arbitrary";

/** Where a text stands in a body: names of fields, and "*" for the entries of a list. */
export type TextPath = readonly string[];

export interface TextField {
  readonly path: TextPath;
  /** Characters; undefined where only the body's size limits it. */
  readonly maxLength: number | undefined;
  /** Whether an expression says what it looks like. */
  readonly hasForm: boolean;
}

/** Every text of a schema. */
export function textFields(schema: Schema, path: TextPath = []): TextField[] {
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches) return branches.flatMap((branch) => textFields(branch, path));
  if (schema.enum || schema.const !== undefined) return [];
  const types = [schema.type ?? []].flat();
  if (types.includes("string")) {
    const hasForm = schema.pattern !== undefined || schema.format !== undefined;
    return [{ path, maxLength: schema.maxLength, hasForm }];
  }
  if (types.includes("array")) return textFields(schema.items ?? {}, [...path, "*"]);
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    textFields(field, [...path, name]),
  );
}

/** A valid value with what it needs; at `path`, if given, this text. @param known values for names such as topicId */
export function sample(
  schema: Schema,
  known: Readonly<Record<string, string>>,
  at?: { readonly path: TextPath; readonly text: string },
  name = "",
): unknown {
  if (at?.path.length === 0) return at.text;
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches) {
    const branch = branches.find((one) => (at ? leadsTo(one, at.path) : one.type !== "null"));
    return sample(branch ?? {}, known, at, name);
  }
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const [type] = [schema.type ?? []].flat();
  if (type === "object") {
    const next = at?.path[0];
    const wanted = Object.entries(schema.properties ?? {}).filter(
      ([field]) => field === next || schema.required?.includes(field),
    );
    return Object.fromEntries(
      wanted.map(([field, inner]) => {
        const below = at && field === next ? { ...at, path: at.path.slice(1) } : undefined;
        return [field, sample(inner, known, below, field)];
      }),
    );
  }
  if (type === "array") {
    const entry = at ? { ...at, path: at.path.slice(1) } : undefined;
    const count = Math.max(schema.minItems ?? 0, at ? 1 : 0);
    return Array.from({ length: count }, () => sample(schema.items ?? {}, known, entry, name));
  }
  if (type === "integer" || type === "number") return Math.max(schema.minimum ?? 1, 1);
  if (type === "boolean") return false;
  return known[name] ?? textOf(schema);
}

function leadsTo(schema: Schema, path: TextPath): boolean {
  return textFields(schema).some((field) => field.path.join("/") === path.join("/"));
}

const candidates = [
  "x",
  "ab",
  "acme.example",
  "KR",
  "0x00",
  "https://youtu.be/x",
  "https://acme.example/x.png",
];

function textOf(schema: Schema): string {
  if (schema.format === "uuid") return "00000000-0000-4000-8000-000000000000";
  if (schema.format === "date-time") return "2200-01-01T00:00:00.000Z";
  if (schema.format === "uri") return "https://acme.example/x.png";
  const form = schema.pattern === undefined ? null : new RegExp(schema.pattern);
  return candidates.find((text) => form?.test(text) ?? true) ?? "x".repeat(schema.minLength ?? 1);
}
