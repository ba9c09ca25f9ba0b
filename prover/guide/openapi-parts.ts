import type { SchemaName } from "./openapi-schemas";

type Headers = Record<string, ReturnType<typeof header>>;

/** A response header. */
export function header(description: string) {
  return { description, schema: { type: "string" } };
}

/** The header of answers that ask to wait. */
export const retryAfter = {
  description: "seconds until a repetition makes sense",
  schema: { type: "integer" },
};

/** A parameter of text; one in the path is required. */
export function text(name: string, where: "path" | "header", description: string) {
  return { name, in: where, required: where === "path", description, schema: { type: "string" } };
}

/** A JSON answer. */
export function answer(
  description: string,
  schema: SchemaName,
  headers: Headers | { "Retry-After": typeof retryAfter } = {},
) {
  return {
    description,
    headers,
    content: { "application/json": { schema: { $ref: `#/components/schemas/${schema}` } } },
  };
}

/** An answer with an error. */
export function refusal(description: string, headers: { "Retry-After"?: typeof retryAfter } = {}) {
  return { ...answer(description, "Error"), headers };
}
