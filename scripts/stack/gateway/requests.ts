import { z } from "zod";
import { addressSchema, hex32Schema, hexSchema } from "@/lib/proofs/hex";

const amount = z.string().regex(/^(0|[1-9][0-9]*)$/);

const requirementsSchema = z.looseObject({
  scheme: z.string(),
  network: z.string(),
  asset: addressSchema,
  amount,
  payTo: addressSchema,
  maxTimeoutSeconds: z.number(),
  extra: z.looseObject({ name: z.string(), version: z.string(), verifyingContract: addressSchema }),
});

/** Body of /v1/x402/verify and /v1/x402/settle. */
export const paymentSchema = z.looseObject({
  paymentPayload: z.looseObject({
    x402Version: z.literal(2),
    payload: z.looseObject({
      signature: hexSchema,
      authorization: z.object({
        from: addressSchema,
        to: addressSchema,
        value: amount,
        validAfter: amount,
        validBefore: amount,
        nonce: hex32Schema,
      }),
    }),
  }),
  paymentRequirements: requirementsSchema,
});
export type Payment = z.infer<typeof paymentSchema>;

/** Query of GET /v1/x402/transfers. */
export const transfersQuerySchema = z.object({
  network: z.string().optional(),
  from: addressSchema.optional(),
  to: addressSchema.optional(),
  nonce: hex32Schema.optional(),
});

/** Body of POST /v1/balances. */
export const balancesSchema = z.object({
  token: z.literal("USDC"),
  sources: z.array(z.object({ domain: z.int(), depositor: addressSchema })).max(20),
});

/** Body of POST /deposits, which the real gateway has not: there a deposit is a transaction. */
export const depositSchema = z.object({ network: z.string(), depositor: addressSchema, amount });
