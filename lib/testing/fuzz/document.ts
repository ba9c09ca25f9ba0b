import Ajv2020, { type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { z } from "zod";
import { withoutReferences } from "../references";
import { schemaShape } from "./arbitrary";

const parameter = z.object({
  name: z.string(),
  in: z.enum(["path", "query", "header"]),
  required: z.boolean(),
  schema: schemaShape,
});
const operationShape = z.looseObject({
  operationId: z.string(),
  parameters: z.array(parameter),
  requestBody: z
    .looseObject({ content: z.looseObject({ "application/json": z.looseObject({ schema: schemaShape }) }) })
    .optional(),
  responses: z.record(
    z.string(),
    z.looseObject({ content: z.record(z.string(), z.looseObject({ schema: z.looseObject({}) })).optional() }),
  ),
});
const documentShape = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), operationShape)),
});

/** An operation as the served document describes it. */
export interface Described {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly z.output<typeof parameter>[];
  readonly body: z.output<typeof schemaShape> | null;
  /** Makes the validator of each declared JSON response, once; null for one that is not JSON. */
  readonly responses: ReadonlyMap<number, (() => ValidateFunction) | null>;
}

/** Reads an OpenAPI 3.1 document: its operations, each with validators of its responses. */
export function readDocument(raw: unknown): Described[] {
  const document = documentShape.parse(withoutReferences(raw));
  const ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: true });
  formats.default(ajv);
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, op]) => ({
      id: op.operationId,
      method: method.toUpperCase(),
      path,
      parameters: op.parameters,
      body: op.requestBody?.content["application/json"].schema ?? null,
      responses: new Map(
        Object.entries(op.responses).map(([status, response]) => {
          const json = response.content?.["application/json"];
          // There are thousands, of which a test meets some. Ajv keeps what it compiled.
          return [Number(status), json ? () => ajv.compile(json.schema) : null] as const;
        }),
      ),
    })),
  );
}
