import fc from "fast-check";
import { z } from "zod";

/** The part of JSON Schema that our OpenAPI document uses. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

export const schemaShape: z.ZodType<Schema> = z.lazy(() =>
  z.looseObject({
    type: z.union([z.string(), z.array(z.string())]).optional(),
    format: z.string().optional(),
    pattern: z.string().optional(),
    enum: z.array(z.unknown()).optional(),
    const: z.unknown().optional(),
    minLength: z.number().optional(),
    maxLength: z.number().optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    items: schemaShape.optional(),
    minItems: z.number().optional(),
    maxItems: z.number().optional(),
    properties: z.record(z.string(), schemaShape).optional(),
    required: z.array(z.string()).optional(),
    anyOf: z.array(schemaShape).optional(),
    oneOf: z.array(schemaShape).optional(),
  }),
);

/** Texts that break programs: nothing, too much, markup, SQL, paths, broken and odd characters. */
const nasty: readonly string[] = [
  "",
  " ",
  "\0",
  "\ud800",
  "\u202e\u0301",
  "😀".repeat(50),
  "null",
  "-1",
  "1e309",
  "__proto__",
  "constructor",
  "../../etc/passwd",
  "'; drop table users; --",
  "%00%ff%",
  "<script>alert(1)</script>",
  "javascript:alert(1)",
  "0x",
  "{}",
  "a".repeat(3000),
];

/** Values of this shape, often at the edge of it. */
export function valid(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches) return fc.oneof(...branches.map(valid));
  const type = typeof schema.type === "string" ? schema.type : schema.type?.[0];
  switch (type) {
    case "string":
      return text(schema);
    case "integer":
      return fc.integer({ min: schema.minimum ?? -5, max: Math.min(schema.maximum ?? 100, 1_000_000) });
    case "number":
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array": {
      const sizes = { minLength: schema.minItems ?? 0, maxLength: Math.min(schema.maxItems ?? 3, 12) };
      return fc.array(valid(schema.items ?? {}), sizes);
    }
    case "object": {
      const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => [name, valid(field)]);
      const requiredKeys = (schema.required ?? []).filter((name) => schema.properties?.[name]);
      return fc.record(z.record(z.string(), anyArbitrary).parse(Object.fromEntries(fields)), {
        requiredKeys,
      });
    }
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

const anyArbitrary = z.custom<fc.Arbitrary<unknown>>((value) => value instanceof fc.Arbitrary);

/** fast-check draws no texts for lookaheads; the one such pattern we have is that of a domain. */
function matching(pattern: string): fc.Arbitrary<string> {
  if (pattern.includes("(?=")) return fc.constantFrom("acme.example", "a.b.example.org", "gmail.com");
  return fc.stringMatching(new RegExp(pattern), { maxLength: 200 });
}

function text(schema: Schema): fc.Arbitrary<string> {
  if (schema.format === "uuid") return fc.uuid();
  if (schema.format === "date-time") {
    const range = { min: new Date("1990-01-01"), max: new Date("2200-01-01"), noInvalidDate: true };
    return fc.date(range).map((date) => date.toISOString());
  }
  if (schema.format === "uri") return fc.webUrl();
  if (schema.pattern) return fc.oneof(matching(schema.pattern), fc.constant("x"));
  const sizes = { minLength: schema.minLength ?? 0, maxLength: Math.min(schema.maxLength ?? 40, 200) };
  return fc.oneof(fc.string({ unit: "grapheme", ...sizes }), fc.constantFrom(...nasty));
}

/** A valid value with something wrong in it: another kind of value, a field too few or too many, a nasty text. */
export function broken(schema: Schema): fc.Arbitrary<unknown> {
  const other = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.constantFrom(...nasty),
    fc.constantFrom<unknown>(null, [], {}, 0, -1, 2 ** 53, true),
  );
  return fc
    .tuple(valid(schema), other, fc.nat(), fc.constantFrom("replace", "remove", "add", "whole"))
    .map(([value, wrong, at, how]) => {
      if (how === "whole" || typeof value !== "object" || value === null || Array.isArray(value))
        return wrong;
      const fields = Object.entries(value);
      const field = fields[at % Math.max(fields.length, 1)]?.[0];
      if (how === "add" || field === undefined) return { ...value, surplus: wrong, __proto__x: wrong };
      if (how === "remove") return Object.fromEntries(fields.filter(([name]) => name !== field));
      return { ...value, [field]: wrong };
    });
}

/** A value as a query or path parameter carries it. */
export function asParameter(value: unknown): string {
  const written = typeof value === "string" ? value : JSON.stringify(value);
  // A lone surrogate cannot be written into a URL at all.
  return (written ?? "").replace(/\p{Surrogate}/gu, "");
}
