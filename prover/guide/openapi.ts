import { z } from "zod";
import {
  challengeBodySchema,
  jobAcceptedSchema,
  jobSchema,
  oidcWireInputsSchema,
  proveRequestSchema,
  proveResultSchema,
  proverErrorBodySchema,
  proverErrorCodes,
} from "@/lib/proofs/wire";

/** OpenAPI 3.1 of the prover, made from the schemas that check its traffic. */
export function openapiDocument(serverUrl: string) {
  const answer = (description: string, schema: z.ZodType) => ({
    description,
    content: { "application/json": { schema: jsonSchema(schema) } },
  });
  const refusal = (description: string) => answer(description, proverErrorBodySchema);
  const header = (name: string, description: string) => ({
    name,
    in: "header",
    required: false,
    description,
    schema: { type: "string" },
  });
  const token = { name: "token", in: "path", required: true, schema: { type: "string" } };
  return {
    openapi: "3.1.0",
    info: {
      title: "Parley prover",
      version: "1",
      description: `Zero-knowledge proofs, paid per proof over x402 v2. Error codes: ${proverErrorCodes.join(", ")}.`,
    },
    servers: [{ url: serverUrl }],
    paths: {
      "/api/v1/prove": {
        post: {
          summary: "Asks the price of a proof, or buys one",
          parameters: [
            header("PAYMENT-SIGNATURE", "base64 JSON of an x402 v2 payment (exact, EIP-3009)"),
            header("X-Payment-Nonce", "the challenge's nonce"),
            header("Prefer", "respond-async: answer 202 at once"),
          ],
          requestBody: {
            required: true,
            content: { "application/json": { schema: jsonSchema(proveRequestSchema) } },
          },
          responses: {
            200: answer("The proof; PAYMENT-RESPONSE names the settlement", proveResultSchema),
            202: answer("The proof is being made; Location names the job", jobAcceptedSchema),
            400: refusal("Malformed request or inputs no proof can be made of; nothing was charged"),
            402: answer("What a proof costs, or why the payment was not accepted", challengeBodySchema),
            409: refusal("The payment was used with other inputs"),
            413: refusal("Body over 64 KiB"),
            415: refusal("Body is not JSON"),
            500: refusal("The proof could not be made; the payment stays good for a resend"),
            503: refusal("Busy or a service out of reach; Retry-After says when to come back"),
          },
        },
      },
      "/api/v1/jobs/{token}": {
        get: {
          summary: "A job",
          parameters: [token],
          responses: { 200: answer("The job now", jobSchema), 404: refusal("Unknown job") },
        },
      },
      "/api/v1/jobs/{token}/events": {
        get: {
          summary: "A job's progress as server-sent events, named by status, until it is done or failed",
          parameters: [token],
          responses: {
            200: { description: "Events", content: { "text/event-stream": { schema: { type: "string" } } } },
            404: refusal("Unknown job"),
          },
        },
      },
      "/api/v1/guide/{circuit}": {
        get: {
          summary: "How to use a circuit",
          parameters: [{ name: "circuit", in: "path", required: true, schema: { type: "string" } }],
          responses: { 200: { description: "The guide" }, 404: refusal("Unknown circuit") },
        },
      },
      "/health": {
        get: {
          summary: "Readiness",
          responses: { 200: { description: "Ready" }, 503: { description: "Not ready; checks say why" } },
        },
      },
    },
    components: { schemas: { OidcDomainAttestationInputs: jsonSchema(oidcWireInputsSchema) } },
  };
}

function jsonSchema(schema: z.ZodType) {
  // Custom types (hex, addresses) are text on the wire; input: what a client may send.
  return z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema: json }) => {
      if (zodSchema._zod.def.type === "custom") json.type = "string";
    },
  });
}
