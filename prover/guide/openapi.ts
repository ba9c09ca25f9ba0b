import type { CircuitId, Deployment } from "@/lib/proofs/deployment";
import { headers, proverErrorCodes } from "@/lib/proofs/wire";
import { requestSchema, type SchemaName, schemas } from "./openapi-schemas";

type Headers = Record<string, ReturnType<typeof header>>;

/** A response header. */
function header(description: string) {
  return { description, schema: { type: "string" } };
}

/** The header of answers that ask to wait. */
const retryAfter = {
  description: "seconds until a repetition makes sense",
  schema: { type: "integer" },
};

/** A parameter of text; one in the path is required. */
function text(name: string, where: "path" | "header", description: string) {
  return { name, in: where, required: where === "path", description, schema: { type: "string" } };
}

/** A JSON answer. */
function answer(
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
function refusal(description: string, headers: { "Retry-After"?: typeof retryAfter } = {}) {
  return { ...answer(description, "Error"), headers };
}

/** OpenAPI 3.1 of the prover, made from the schemas that check its traffic. */
export function openapiDocument(deployment: Deployment, offered: readonly CircuitId[]) {
  const token = text("token", "path", "the job's token, as 202 gave it");
  const limited = refusal("Too many requests; Retry-After says when to come back", {
    "Retry-After": retryAfter,
  });
  return {
    openapi: "3.1.0",
    info: {
      title: "Parley prover",
      version: "1",
      description: `Zero-knowledge proofs, paid per proof over x402 v2. Error codes: ${proverErrorCodes.join(", ")}.`,
    },
    servers: [{ url: deployment.services.proverUrl }],
    paths: {
      "/api/v1/prove": {
        post: {
          operationId: "prove",
          summary: "Asks the price of a proof, or buys one",
          description:
            "Without a payment header: 402 with the price. With PAYMENT-SIGNATURE, or X-Payment-TX and X-Payment-Nonce: the proof. The same payment with the same inputs may be sent again and never charges again.",
          "x-payment-info": {
            protocols: ["x402"],
            pricingMode: "fixed",
            price: price(deployment),
            currency: "USD",
          },
          parameters: [
            text(headers.paymentSignature, "header", "base64 JSON of an x402 v2 payment (exact, EIP-3009)"),
            text(
              headers.paymentTx,
              "header",
              "hash of a token transfer that the payer made; instead of a signature",
            ),
            text(
              headers.paymentNetwork,
              "header",
              "network of that transfer (CAIP-2, eip155:8453, or a known name)",
            ),
            text(
              headers.paymentNonce,
              "header",
              "the challenge's nonce; required with X-Payment-TX, checked whenever it is sent",
            ),
            text("Prefer", "header", "respond-async: answer 202 at once"),
          ],
          requestBody: {
            required: true,
            content: { "application/json": { schema: requestSchema(offered) } },
          },
          responses: {
            200: answer("The proof", "ProveResult", {
              [headers.paymentResponse]: header("base64 JSON: the settlement"),
            }),
            202: answer("The proof is being made", "JobAccepted", {
              Location: header("the job"),
              [headers.paymentResponse]: header("base64 JSON: the settlement, when it is known"),
            }),
            400: refusal("Malformed request, or inputs no proof can be made of; nothing was charged"),
            402: answer("What a proof costs, or why the payment was not accepted", "Challenge", {
              [headers.paymentRequired]: header("base64 JSON of the challenge"),
            }),
            405: refusal("Another method than POST"),
            409: refusal("The payment was used with other inputs, or its proof is no longer kept"),
            413: refusal("Body over 64 KiB"),
            415: refusal("Body is not application/json"),
            429: limited,
            500: refusal("The proof could not be made; the payment stays good for a resend"),
            503: refusal("Busy, or a service out of reach; nothing more was charged", {
              "Retry-After": retryAfter,
            }),
          },
        },
      },
      "/api/v1/jobs/{token}": {
        get: {
          operationId: "job",
          summary: "A job; as a page where a browser asks",
          parameters: [token],
          responses: {
            200: answer("The job now", "Job"),
            404: refusal("Unknown job"),
            429: limited,
          },
        },
      },
      "/api/v1/jobs/{token}/events": {
        get: {
          operationId: "jobEvents",
          summary: "A job's progress as server-sent events, named by status, until it is done or failed",
          parameters: [token],
          responses: {
            200: {
              description: "Events; the data of each is a Job",
              content: { "text/event-stream": { schema: { type: "string" } } },
            },
            404: refusal("Unknown job"),
            429: limited,
          },
        },
      },
      "/api/v1/guide/{circuit}": {
        get: {
          operationId: "guide",
          summary: "How to use a circuit: inputs, constants, formulas, test vectors",
          parameters: [
            { ...text("circuit", "path", "circuit id"), schema: { type: "string", enum: [...offered] } },
          ],
          responses: {
            200: {
              description: "The guide",
              content: { "application/json": { schema: { type: "object", required: ["circuit_id"] } } },
            },
            404: refusal("Unknown circuit"),
            429: limited,
          },
        },
      },
      "/.well-known/x402": {
        get: {
          operationId: "discovery",
          summary: "What is for sale here, and for what offers",
          responses: {
            200: {
              description: "Resources and items",
              content: { "application/json": { schema: { type: "object" } } },
            },
          },
        },
      },
      "/openapi.json": {
        get: {
          operationId: "openapi",
          summary: "This document",
          responses: { 200: { description: "OpenAPI 3.1" } },
        },
      },
      "/health": {
        get: {
          operationId: "health",
          summary: "Readiness",
          responses: { 200: { description: "Ready" }, 503: { description: "Not ready; checks say why" } },
        },
      },
    },
    components: { schemas },
  };
}

/** The cheapest offer in dollars, as text. */
function price({ offers }: Deployment): string {
  const [least = 0n] = offers.map((offer) => BigInt(offer.amount)).sort((a, b) => (a < b ? -1 : 1));
  const cents = (least + 9_999n) / 10_000n;
  return `${cents / 100n}.${(cents % 100n).toString().padStart(2, "0")}`;
}
