import { type Address, isAddress } from "viem";
import { z } from "zod";
import { circuitIdSchema, providerSchema } from "./deployment";
import { hex32Schema, hexSchema } from "./hex";
import { creditNoteSchema, receiptSchema } from "./receipts";

/**
 * The JSON shapes of the prover's HTTP API, for the prover and the paying client. Source: spec/prover-api.md and the x402
 * v2 protocol.
 *
 * Amounts are decimal strings of atomic token units (6 decimals, "100000" is 0.10 USD). Durations are in milliseconds,
 * times like `iat` in seconds. Objects that a payer must echo unchanged are loose, so that unknown fields survive.
 */

/** Header names as sent. HTTP compares them case-insensitively. */
export const headers = {
  paymentRequired: "PAYMENT-REQUIRED",
  paymentSignature: "PAYMENT-SIGNATURE",
  paymentResponse: "PAYMENT-RESPONSE",
  paymentNonce: "X-Payment-Nonce",
  paymentTx: "X-Payment-TX",
  paymentNetwork: "X-Payment-Network",
} as const;

/** An address, unchanged: standard x402 servers compare the echoed offer byte for byte. */
const verbatimAddressSchema = z.custom<Address>(
  (v) => typeof v === "string" && isAddress(v, { strict: false }),
  {
    error: "must be an address",
  },
);

export const networkSchema = z.templateLiteral(["eip155:", z.int().positive()]);
export type Network = z.infer<typeof networkSchema>;

const maxUint256 = (2n ** 256n - 1n).toString();

/** Atomic token units as a decimal string without leading zeros: a uint256 on chain. */
export const amountSchema = z
  .string()
  .regex(/^(0|[1-9][0-9]{0,77})$/, "must be a decimal amount of atomic units")
  .refine((v) => v.length < maxUint256.length || v <= maxUint256, "must be below 2^256");

/** An entry of `accepts`: an x402 v2 "exact" requirement plus the fields of spec/prover-api.md "Payment offer". */
export const paymentRequirementsSchema = z.looseObject({
  scheme: z.literal("exact"),
  network: networkSchema,
  amount: amountSchema,
  asset: verbatimAddressSchema,
  payTo: verbatimAddressSchema,
  maxTimeoutSeconds: z.int().positive(),
  /** Name and version of the asset's EIP-712 domain, where standard x402 clients expect them. */
  extra: z.looseObject({ name: z.string(), version: z.string() }),
  decimals: z.literal(6),
  settlement: z.enum(["facilitator", "payee", "gateway"]),
  eip712_domain: z.object({
    name: z.string(),
    version: z.string(),
    chainId: z.int().positive(),
    verifyingContract: verbatimAddressSchema,
  }),
  /** Present if plain transfers (X-Payment-TX) are accepted too; confirmations they need. */
  transaction: z.object({ confirmations: z.int().positive() }).optional(),
});
export type PaymentRequirements = z.infer<typeof paymentRequirementsSchema>;

/** x402 extensions by name: what the seller supports, and what the buyer says to it. */
const extensionsSchema = z.record(z.string(), z.unknown());

const resourceSchema = z.looseObject({ url: z.string(), description: z.string(), mimeType: z.string() });

/** Decoded PAYMENT-REQUIRED header. `nonce` is 32 bytes, single use, bound to the circuit and valid for one week. */
export const paymentRequiredSchema = z.looseObject({
  x402Version: z.literal(2),
  error: z.string(),
  resource: resourceSchema,
  accepts: z.array(paymentRequirementsSchema),
  nonce: hex32Schema,
  extensions: extensionsSchema.optional(),
});
export type PaymentRequired = z.infer<typeof paymentRequiredSchema>;

/** Body of a 402: the header's content, a message for people, and a link to the guide. */
export const challengeBodySchema = paymentRequiredSchema.extend({
  error: z.enum(["PAYMENT_REQUIRED", "PAYMENT_INVALID"]),
  message: z.string(),
  /** Only with PAYMENT_INVALID: the rule that the payment broke, for example `expired`. */
  reason: z.string().optional(),
  field: z.string().optional(),
  requiresPayment: z.literal(true),
  guideUrl: z.string(),
  teePublicKey: z.string().nullable(),
});
export type ChallengeBody = z.infer<typeof challengeBodySchema>;

/** EIP-3009 transferWithAuthorization parameters; integers as decimal strings, as in x402 "exact" on EVM. */
const authorizationSchema = z.object({
  from: verbatimAddressSchema,
  to: verbatimAddressSchema,
  value: amountSchema,
  validAfter: amountSchema,
  validBefore: amountSchema,
  nonce: hex32Schema,
});

/** Decoded PAYMENT-SIGNATURE header (x402 v2 PaymentPayload, scheme exact, EIP-3009). */
export const paymentPayloadSchema = z.looseObject({
  x402Version: z.literal(2),
  resource: z.looseObject({ url: z.string() }).optional(),
  accepted: paymentRequirementsSchema,
  payload: z.object({ signature: hexSchema, authorization: authorizationSchema }),
  extensions: extensionsSchema.optional(),
});
export type PaymentPayload = z.infer<typeof paymentPayloadSchema>;

/** Decoded PAYMENT-RESPONSE header (x402 v2 SettleResponse). */
export const settleResponseSchema = z.looseObject({
  success: z.boolean(),
  errorReason: z.string().optional(),
  payer: verbatimAddressSchema.optional(),
  transaction: z.string(),
  network: networkSchema,
  amount: amountSchema.optional(),
  extensions: extensionsSchema.optional(),
});
export type SettleResponse = z.infer<typeof settleResponseSchema>;

/** Inputs of oidc_domain_attestation. `scope` is the string, not the scope word. */
export const oidcWireInputsSchema = z.object({
  jwt: z.string().max(8192),
  /** Optional and unused: proofs use the key set of our pinned issuer. */
  jwks: z.looseObject({ keys: z.array(z.looseObject({})) }).optional(),
  scope: z.string().min(1).max(256),
  provider: providerSchema.default("provider_a"),
});
export type OidcWireInputs = z.infer<typeof oidcWireInputsSchema>;

/** POST /api/v1/prove. Without `inputs` it requests the price. */
export const proveRequestSchema = z.object({
  circuit: circuitIdSchema,
  inputs: z.record(z.string(), z.unknown()).optional(),
});
export type ProveRequest = z.infer<typeof proveRequestSchema>;

/** Durations. `totalMs` is the time from the paid request to the verified proof, including the queue. */
export const timingSchema = z.object({
  totalMs: z.number().nonnegative(),
  paymentMs: z.number().nonnegative(),
  witnessMs: z.number().nonnegative(),
  proveMs: z.number().nonnegative(),
});

/** 200 of POST /api/v1/prove and `result` of a finished job. */
export const proveResultSchema = z.object({
  circuit: circuitIdSchema,
  proof: hexSchema,
  /** One 32-byte word each; registry.ts has their number and meaning per circuit. */
  publicInputs: z.array(hex32Schema),
  /** Public input words followed by the proof bytes. */
  proofWithInputs: hexSchema,
  verification: z.object({
    chainId: z.int().positive(),
    verifierAddress: verbatimAddressSchema,
    rpcUrl: z.url(),
  }),
  timing: timingSchema,
  attestation: z.null(),
  jobToken: z.string().min(1),
});
export type ProveResult = z.infer<typeof proveResultSchema>;

/** 202 of POST /api/v1/prove. The Location header names the job. */
export const jobAcceptedSchema = z.object({ jobToken: z.string().min(1) });

export const proverErrorCodes = [
  "INVALID_REQUEST",
  "INVALID_CIRCUIT",
  "INVALID_INPUTS",
  "MISSING_NONCE",
  "INVALID_NONCE",
  "NONCE_CIRCUIT_MISMATCH",
  "PAYMENT_REQUIRED",
  "PAYMENT_INVALID",
  "SIGN_IN_REQUIRED",
  "UNKNOWN_CIRCUIT",
  "UNKNOWN_JOB",
  "NOT_FOUND",
  "METHOD_NOT_ALLOWED",
  "PAYMENT_ALREADY_USED",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
  "RATE_LIMITED",
  "PROVE_FAILED",
  "INTERNAL",
  "BUSY",
] as const;
export type ProverErrorCode = (typeof proverErrorCodes)[number];

/** Every error body. `error` is any string, so that a newer prover's codes still parse. */
export const proverErrorBodySchema = z.looseObject({
  error: z.string().meta({ openapi: { type: "string", enum: proverErrorCodes } }),
  message: z.string(),
  reason: z.string().optional(),
  field: z.string().optional(),
});
export type ProverErrorBody = z.infer<typeof proverErrorBodySchema>;

const jobStatuses = ["queued", "settling", "witness", "proving", "checking", "done", "failed"] as const;
const jobStatusSchema = z.enum(jobStatuses);
export type JobStatus = z.infer<typeof jobStatusSchema>;

/** The settled payment of a job, once known. */
const jobPaymentSchema = z.object({
  network: networkSchema,
  transaction: z.string(),
  payer: verbatimAddressSchema,
  amount: amountSchema,
});
export type JobPayment = z.infer<typeof jobPaymentSchema>;

/**
 * GET /api/v1/jobs/{token}, and the data of every event of GET /api/v1/jobs/{token}/events, whose event
 * name equals `status`. A finished job carries `result` (done) or `error` (failed). Of a settled payment, it also carries what the
 * prover signs about it: a receipt, or a credit note.
 */
export const jobSchema = z
  .object({
    status: jobStatusSchema,
    /** Jobs ahead of this one; 0 is next. Only while queued. */
    position: z.int().nonnegative().optional(),
    elapsedMs: z.number().nonnegative().optional(),
    expectedMs: z.number().nonnegative().optional(),
    payment: jobPaymentSchema.optional(),
    result: proveResultSchema.optional(),
    error: proverErrorBodySchema.optional(),
    receipt: receiptSchema.optional(),
    creditNote: creditNoteSchema.optional(),
  })
  .refine((job) => job.status !== "done" || job.result !== undefined, { error: "a done job has a result" })
  .refine((job) => job.status !== "failed" || job.error !== undefined, {
    error: "a failed job has an error",
  });
export type Job = z.infer<typeof jobSchema>;

/** Encodes a value as an x402 v2 header: base64 of its UTF-8 JSON. */
export function encodeHeader(value: unknown): string {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

/**
 * Decodes a base64 JSON header with a schema.
 * @returns the parsed value, or null if it is not base64, not JSON, or does not match the schema.
 */
export function decodeHeader<S extends z.ZodType>(
  schema: S,
  header: string | null | undefined,
): z.output<S> | null {
  if (!header) return null;
  try {
    const bytes = Uint8Array.from(atob(header), (c) => c.charCodeAt(0));
    const json: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    const parsed = schema.safeParse(json);
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** EIP-712 types of EIP-3009 transferWithAuthorization, which a payer signs and the prover checks. */
export const transferTypes = {
  TransferWithAuthorization: [
    { name: "from", type: "address" },
    { name: "to", type: "address" },
    { name: "value", type: "uint256" },
    { name: "validAfter", type: "uint256" },
    { name: "validBefore", type: "uint256" },
    { name: "nonce", type: "bytes32" },
  ],
} as const;
