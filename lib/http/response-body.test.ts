import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { operations } from "@/lib/contract";
import { toJsonSchema } from "@/lib/openapi";
import { broken, schemaShape, valid } from "@/lib/testing/fuzz/arbitrary";
import { declaredPart } from "./response-body";

/** A body as a careless handler may return it: columns that nobody declared, in another order. */
function careless(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(careless);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).map(([name, field]) => [name, careless(field)]);
  return Object.fromEntries([["identity_hash", "secret"], ...fields.toReversed(), ["id_of_row", { jti: 7 }]]);
}

function sent(read: (body: unknown) => unknown, body: unknown): string | undefined {
  try {
    return JSON.stringify(read(body));
  } catch (error) {
    expect(error).toBeInstanceOf(z.ZodError);
    return "refused";
  }
}

const responses = operations.flatMap(({ id, responses }) =>
  Object.entries(responses).map(([status, schema]) => ({ name: `${id} ${status}`, schema })),
);

describe("the declared part of a response", () => {
  it.each(responses)("$name is what its schema parses", ({ schema }) => {
    const shape = schemaShape.parse(toJsonSchema(schema, "output"));
    const body = fc.oneof(valid(shape), broken(shape));
    const declared = (value: unknown) => declaredPart(schema, value);
    const parsed = (value: unknown) => schema.parse(value);
    fc.assert(
      fc.property(body, (value) => {
        expect(sent(declared, value)).toBe(sent(parsed, value));
        expect(sent(declared, careless(value))).toBe(sent(parsed, careless(value)));
      }),
      { numRuns: 40 },
    );
  });

  const schema = z.object({
    id: z.uuid(),
    at: z.iso.datetime(),
    tags: z.array(z.object({ name: z.string() })),
    role: z.enum(["owner", "member"]).nullable(),
    vote: z.union([z.literal(1), z.literal(-1)]).nullable(),
    count: z.int().optional(),
    score: z.number(),
    code: z.string().length(2),
  });
  const row = {
    id: "7b0c4e0a-8f3c-4f7e-9c57-0c6c1c2f6f0a",
    at: "2026-01-01T00:00:00.000Z",
    tags: [{ name: "a" }, { name: "b" }],
    role: null,
    vote: -1,
    count: 3,
    score: 0.5,
    code: "ab",
  };

  it("is the body itself where it has exactly the declared fields", () => {
    expect(declaredPart(schema, row)).toBe(row);
  });

  it("copies only what has undeclared fields", () => {
    const tagged = { ...row, tags: [{ name: "a" }, { name: "b", secret: 1 }] };
    const part = declaredPart(schema, tagged);
    expect(part).toEqual({ ...row, tags: [{ name: "a" }, { name: "b" }] });
    expect(tagged.tags[1]).toEqual({ name: "b", secret: 1 });
  });

  it.each([
    { id: "7" },
    { at: "2026-13-01T00:00:00.000Z" },
    { at: new Date() },
    { tags: [{ name: null }] },
    { tags: {} },
    { role: "admin" },
    { vote: 0 },
    { count: 0.5 },
    { score: Number.NaN },
    { score: Number.POSITIVE_INFINITY },
    { code: "abc" },
    { code: undefined },
  ])("a body that does not match is refused: %o", (wrong) => {
    expect(() => declaredPart(schema, { ...row, ...wrong })).toThrow(z.ZodError);
  });
});
