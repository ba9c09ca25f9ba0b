import { decodePaymentRequiredHeader, encodePaymentResponseHeader } from "@x402/core/http";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { decodeHeader, encodeHeader, jobSchema, paymentRequiredSchema, settleResponseSchema } from "./wire";

const word = `0x${"ab".repeat(32)}`;
const address = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
const challenge = {
  x402Version: 2,
  error: "PAYMENT_REQUIRED",
  resource: { url: "http://prover.test/api/v1/prove", description: "proof", mimeType: "application/json" },
  accepts: [
    {
      scheme: "exact",
      network: "eip155:8453",
      amount: "100000",
      asset: address.toLowerCase(),
      payTo: address,
      maxTimeoutSeconds: 300,
      extra: { name: "USD Coin", version: "2", later: true },
      decimals: 6,
      settlement: "facilitator",
      eip712_domain: { name: "USD Coin", version: "2", chainId: 8453, verifyingContract: address },
    },
  ],
  nonce: word,
};

describe("wire headers", () => {
  it("round trips any JSON, other scripts included", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const back = decodeHeader(z.object({ v: z.unknown() }), encodeHeader({ v: value }));
        expect(JSON.stringify(back?.v)).toBe(JSON.stringify(value));
      }),
    );
  });

  it("is read by, and reads, the standard x402 codec", () => {
    expect(decodePaymentRequiredHeader(encodeHeader(challenge))).toEqual(challenge);
    const settled = { success: true, transaction: word, network: "eip155:8453" as const };
    expect(decodeHeader(settleResponseSchema, encodePaymentResponseHeader(settled))).toEqual(settled);
  });

  it("keeps an offer exactly as sent, unknown fields and address case included", () => {
    expect(decodeHeader(paymentRequiredSchema, encodeHeader(challenge))?.accepts).toEqual(challenge.accepts);
  });

  it("answers null for what is not a header of ours", () => {
    expect(decodeHeader(paymentRequiredSchema, "%%%")).toBeNull();
    expect(decodeHeader(paymentRequiredSchema, btoa("{"))).toBeNull();
    expect(decodeHeader(paymentRequiredSchema, encodeHeader({ x402Version: 1 }))).toBeNull();
    expect(decodeHeader(paymentRequiredSchema, null)).toBeNull();
  });
});

describe("job", () => {
  it("is not done without a result, nor failed without an error", () => {
    expect(jobSchema.safeParse({ status: "done" }).success).toBe(false);
    expect(jobSchema.safeParse({ status: "failed" }).success).toBe(false);
    expect(jobSchema.safeParse({ status: "queued", position: 0 }).success).toBe(true);
  });
});
