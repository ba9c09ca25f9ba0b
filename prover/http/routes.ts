import { z } from "zod";
import { countryWireInputsSchema, eligibilityWireInputsSchema } from "@/lib/proofs/attestation/wire";
import { type CircuitId, circuitIdSchema, deploymentSchema } from "@/lib/proofs/deployment";
import { addressSchema } from "@/lib/proofs/hex";
import { creditNoteSchema, receiptSchema } from "@/lib/proofs/receipts";
import {
  challengeBodySchema,
  headers,
  jobAcceptedSchema,
  jobSchema,
  oidcWireInputsSchema,
  proveResultSchema,
  proverErrorBodySchema,
} from "@/lib/proofs/wire";
import { encryptedInputsSchema } from "../encryption";
import { paymentStates } from "../jobs/state";
import { maxBodyBytes } from "./body";

/** Header of the x402 extension "sign-in-with-x". */
export const SIGN_IN_HEADER = "SIGN-IN-WITH-X";

/** One operation of the prover's API: the HTTP routes and the OpenAPI document are made from it. */
export interface Route {
  /** Key of the handler, and operationId of the OpenAPI document. */
  readonly id: string;
  readonly method: "GET" | "POST";
  /** With `{name}` parameters. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  /** Requires an x402 payment. */
  readonly isPaid?: boolean;
  readonly params?: z.ZodObject;
  readonly headers?: z.ZodObject;
  /** Required JSON body. */
  readonly body?: z.ZodType;
  readonly responses: Readonly<Record<number, RouteResponse>>;
}

interface RouteResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, z.ZodType>>;
  /** Schemas by media type. */
  readonly content: Readonly<Record<string, z.ZodType>>;
}

const json = (schema: z.ZodType) => ({ "application/json": schema });
const page = { "text/html": z.string() };
const text = (description: string) => z.string().describe(description);
/** Declares an error response. */
const refusal = (description: string, headers?: RouteResponse["headers"]): RouteResponse => ({
  description,
  content: json(proverErrorBodySchema),
  ...(headers && { headers }),
});
const retryAfter = {
  "Retry-After": z.int().min(1).describe("seconds until a repetition makes sense"),
};
/** Also on failures after settlement: the client must know that it paid. */
const settled = { [headers.paymentResponse]: text("base64 JSON: the settlement, when it is known") };

/** Responses of every operation. */
const general = {
  405: refusal("Method not allowed; Allow lists the allowed methods", { Allow: text("allowed methods") }),
  429: refusal("Too many requests; Retry-After says when to come back", retryAfter),
  500: refusal("The prover failed; send the same request again"),
};

const token = text("the job's token, as 202 gave it");

const statusSchema = z.object({ status: z.enum(["ok", "unavailable"]) });

/** One event of a job's stream, with its data as JSON. */
const jobEventSchema = z.object({ event: jobSchema.shape.status, data: jobSchema });

/** Body of GET /health. */
const healthSchema = statusSchema.extend({
  checks: z.object({
    barretenberg: z.boolean(),
    database: z.boolean(),
    chains: z.array(z.object({ id: z.int(), ok: z.boolean() })),
    facilitator: z.boolean().nullable().describe("null: no offer is settled that way"),
    settlementAccount: z.boolean().nullable(),
    gateway: z.boolean().nullable(),
  }),
  circuits: z.array(circuitIdSchema),
  srs: deploymentSchema.shape.srs.shape.kind,
});
export type Health = z.infer<typeof healthSchema>;

/** A settled payment, for its payer. */
const purchaseSchema = z.object({
  circuit: z.string(),
  state: z
    .enum(paymentStates)
    .describe(
      "proven: the proof was made; settled: it is being made; credited: it is owed; refunded: paid back",
    ),
  payment: jobSchema.shape.payment.unwrap(),
  settledAt: z.iso.datetime(),
  jobToken: z
    .string()
    .nullable()
    .describe("opens the job with the proof; null once the proof is no longer kept"),
  receipt: receiptSchema.optional(),
  creditNote: creditNoteSchema.optional(),
});
export type Purchase = z.infer<typeof purchaseSchema>;

const purchasesSchema = z.object({ payer: addressSchema, purchases: z.array(purchaseSchema) });

const signInChallengeSchema = z.looseObject({
  error: z.literal("SIGN_IN_REQUIRED"),
  message: z.string(),
  extensions: z.looseObject({ "sign-in-with-x": z.looseObject({}) }),
});

const promisesSchema = z.object({
  deliverySeconds: z.int().describe("time from settlement within which a proof is promised"),
  receiptSigner: addressSchema.describe("signs offers, receipts and credit notes"),
  days: z.array(
    z.object({
      day: z.iso.date().describe("of settlement, UTC"),
      settled: z.int(),
      kept: z.int().describe("proofs made in time"),
      missed: z.int().describe("late, or a credit instead"),
      refunded: z.int(),
    }),
  ),
});
export type Promises = z.infer<typeof promisesSchema>;

const inputsOf: Readonly<Record<CircuitId, z.ZodType>> = {
  oidc_domain_attestation: oidcWireInputsSchema,
  partner_country_attestation: countryWireInputsSchema,
  network_eligibility: eligibilityWireInputsSchema,
  regional_attestation: eligibilityWireInputsSchema,
};

/**
 * Declares the prover's API.
 * @param offered circuits that this installation has a verifier for
 * @returns the operations, and the schemas that the OpenAPI document refers to by name
 */
export function proverApi(offered: readonly CircuitId[]) {
  // Without inputs the request asks for the price.
  const proveRequest = z.xor(
    offered.map((circuit) => {
      const inputs = z.union([inputsOf[circuit], encryptedInputsSchema]).optional();
      return z.object({ circuit: z.literal(circuit), inputs }).meta({ title: circuit });
    }),
  );
  const routes = [
    {
      id: "prove",
      method: "POST",
      path: "/api/v1/prove",
      summary: "Asks the price of a proof, or buys one",
      description:
        "Without a payment header: 402 with the price. With PAYMENT-SIGNATURE, or X-Payment-TX and X-Payment-Nonce: the proof. The same payment with the same inputs may be sent again and never charges again.",
      isPaid: true,
      headers: z.object({
        [headers.paymentSignature]: text("base64 JSON of an x402 v2 payment (exact, EIP-3009)").optional(),
        [headers.paymentTx]: text(
          "hash of a token transfer that the payer made; instead of a signature",
        ).optional(),
        [headers.paymentNetwork]: text(
          "network of that transfer (CAIP-2, eip155:8453, or a known name)",
        ).optional(),
        [headers.paymentNonce]: text(
          "the challenge's nonce; required with X-Payment-TX, checked whenever it is sent",
        ).optional(),
        Prefer: text("respond-async: answer 202 at once").optional(),
      }),
      body: proveRequest,
      responses: {
        ...general,
        200: {
          description: "The proof",
          headers: { [headers.paymentResponse]: text("base64 JSON: the settlement") },
          content: json(proveResultSchema),
        },
        202: {
          description: "The proof is being made",
          headers: {
            Location: text("the job"),
            ...settled,
          },
          content: json(jobAcceptedSchema),
        },
        400: refusal("Malformed request, or inputs no proof can be made of; nothing was charged"),
        402: {
          description: "What a proof costs, or why the payment was not accepted",
          headers: {
            [headers.paymentRequired]: text("base64 JSON of the challenge"),
            [headers.paymentResponse]: text("base64 JSON: why the settlement failed, if it was tried"),
          },
          content: json(challengeBodySchema),
        },
        409: refusal("The payment was used with other inputs, or its proof is no longer kept"),
        413: refusal(`Body over ${maxBodyBytes / 1024} KiB`),
        415: refusal("Body is not application/json"),
        500: refusal("The proof could not be made; the payment stays good for a resend", settled),
        503: refusal("Busy, or a service out of reach; nothing more was charged", {
          ...retryAfter,
          ...settled,
        }),
      },
    },
    {
      id: "job",
      method: "GET",
      path: "/api/v1/jobs/{token}",
      summary: "A job; as a page where a browser asks",
      params: z.object({ token }),
      responses: {
        ...general,
        200: { description: "The job now", content: { ...json(jobSchema), ...page } },
        404: { description: "Unknown job", content: { ...json(proverErrorBodySchema), ...page } },
      },
    },
    {
      id: "jobEvents",
      method: "GET",
      path: "/api/v1/jobs/{token}/events",
      summary: "A job's progress as server-sent events, named by status, until it is done or failed",
      params: z.object({ token }),
      responses: {
        ...general,
        200: {
          description: "Events; the data of each is a Job",
          content: { "text/event-stream": jobEventSchema },
        },
        404: refusal("Unknown job"),
      },
    },
    {
      id: "purchases",
      method: "GET",
      path: "/api/v1/purchases",
      summary: "What a wallet bought in the last day, and its credits",
      description:
        "Without SIGN-IN-WITH-X: 402 with a challenge that costs nothing to answer (x402 extension sign-in-with-x). Signed by the paying wallet: its payments, with the tokens of their jobs.",
      headers: z.object({
        [SIGN_IN_HEADER]: text("base64 JSON of the signed challenge").optional(),
      }),
      responses: {
        ...general,
        200: { description: "The wallet's purchases", content: json(purchasesSchema) },
        400: refusal("The wallet did not sign this challenge, or not in time, or used it already"),
        402: {
          description: "What to sign",
          headers: { [headers.paymentRequired]: text("base64 JSON of the challenge") },
          content: json(signInChallengeSchema),
        },
        503: refusal("The wallet's chain does not answer", retryAfter),
      },
    },
    {
      id: "promises",
      method: "GET",
      path: "/api/v1/promises",
      summary: "How many proofs were made in time in the last 30 days; as a page where a browser asks",
      responses: {
        ...general,
        200: { description: "Counts by day", content: { ...json(promisesSchema), ...page } },
      },
    },
    {
      id: "guide",
      method: "GET",
      path: "/api/v1/guide/{circuit}",
      summary: "How to use a circuit: inputs, constants, formulas, test vectors",
      params: z.object({ circuit: z.enum(offered).describe("circuit id") }),
      responses: {
        ...general,
        200: { description: "The guide", content: json(z.looseObject({ circuit_id: z.enum(offered) })) },
        404: refusal("Unknown circuit"),
      },
    },
    {
      id: "discovery",
      method: "GET",
      path: "/.well-known/x402",
      summary: "What is for sale here, and for what offers",
      responses: {
        ...general,
        200: {
          description: "Resources and items",
          content: json(z.looseObject({ resources: z.array(z.url()), items: z.array(z.looseObject({})) })),
        },
      },
    },
    {
      id: "openapi",
      method: "GET",
      path: "/openapi.json",
      summary: "This document",
      responses: {
        ...general,
        200: { description: "OpenAPI 3.1", content: json(z.looseObject({ openapi: z.literal("3.1.0") })) },
      },
    },
    {
      id: "health",
      method: "GET",
      path: "/health",
      summary: "All that selling proofs needs: chains and payment, too",
      responses: {
        ...general,
        200: { description: "Everything works", content: json(healthSchema) },
        503: { description: "Something does not; checks say what", content: json(healthSchema) },
      },
    },
    {
      id: "live",
      method: "GET",
      path: "/health/live",
      summary: "The process is up; nothing else is checked",
      responses: { ...general, 200: { description: "Up", content: json(statusSchema) } },
    },
    {
      id: "ready",
      method: "GET",
      path: "/health/ready",
      summary: "The process can serve: database and bb answer. For load balancers",
      responses: {
        ...general,
        200: { description: "Ready", content: json(statusSchema) },
        503: { description: "Not ready", content: json(statusSchema) },
      },
    },
  ] as const satisfies readonly Route[];
  const schemas = {
    ProveRequest: proveRequest,
    ProveResult: proveResultSchema,
    JobAccepted: jobAcceptedSchema,
    Job: jobSchema,
    JobEvent: jobEventSchema,
    Challenge: challengeBodySchema,
    ProverError: proverErrorBodySchema,
    Health: healthSchema,
    Purchase: purchaseSchema,
    Purchases: purchasesSchema,
    SignInChallenge: signInChallengeSchema,
    Promises: promisesSchema,
    Receipt: receiptSchema,
    CreditNote: creditNoteSchema,
    OidcDomainAttestationInputs: oidcWireInputsSchema,
    PartnerCountryAttestationInputs: countryWireInputsSchema,
    EligibilityInputs: eligibilityWireInputsSchema,
    EncryptedInputs: encryptedInputsSchema,
  };
  return { routes, schemas };
}
export type RouteId = ReturnType<typeof proverApi>["routes"][number]["id"];
