import type { Address, Hex } from "viem";
import { z } from "zod";
import type { PaymentOffer } from "../deployment";
import { type SealingKey, unseal } from "../sealing";
import {
  decodeHeader,
  encodeHeader,
  type Job,
  type PaymentPayload,
  type PaymentRequirements,
  type ProveResult,
  paymentPayloadSchema,
  proveRequestSchema,
} from "../wire";

/**
 * A prover in memory that keeps the promises of payments.md and breaks its network as told: `faults` are used
 * up one per request. It counts what it charged, so that a test can say "once".
 */
export type Fault =
  | "ok"
  /** The request never arrives. */
  | "drop-request"
  /** It is handled and the answer is lost. */
  | "drop-answer"
  | "busy"
  | "bad-gateway"
  /** The prover restarts first: jobs are forgotten, payments are not. */
  | "restart"
  /** The stream breaks off after its first event. */
  | "cut-stream";

const dollar: Address = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
export const payee: Address = "0x00000000000000000000000000000000000000A1";
export const offer: PaymentRequirements = {
  scheme: "exact",
  network: "eip155:8453",
  amount: "100000",
  asset: dollar,
  payTo: payee,
  maxTimeoutSeconds: 300,
  extra: { name: "USD Coin", version: "2" },
  decimals: 6,
  settlement: "facilitator",
  eip712_domain: { name: "USD Coin", version: "2", chainId: 8453, verifyingContract: dollar },
};

/** The same offer as a deployment describes it. */
export const ourOffer: PaymentOffer = {
  chainId: 8453,
  network: "eip155:8453",
  asset: offer.asset,
  symbol: "USDC",
  decimals: 6,
  amount: "100000",
  payTo: payee,
  settlement: "facilitator",
  eip712: { name: "USD Coin", version: "2" },
};

const TRANSACTION: Hex = `0x${"77".repeat(32)}`;
type Seen = { path: string; method: string; body: unknown; headers: Headers };

export class FakeProver {
  readonly proverUrl = "https://prover.test";
  faults: Fault[] = [];
  accepts: unknown[] = [offer];
  /** Bodies instead of the paid answer, used up one per paid request. */
  paidErrors: { status: number; body: Record<string, unknown> }[] = [];
  /** Proofs that fail before one succeeds. */
  failures = 0;
  /** Why they fail. */
  failureReason: string | undefined;
  streaming = true;
  /** Shown instead of the sealing key's own. */
  teePublicKey: string | null = null;
  /** Opens inputs sealed for `teePublicKey`; with a key, none are taken in clear. */
  sealingKey: SealingKey | null = null;
  /** Inputs of paid requests as the prover reads them. */
  readonly read: unknown[] = [];
  nonce: Hex = `0x${"ab".repeat(32)}`;
  readonly seen: Seen[] = [];
  /** Distinct payments ever received. */
  readonly payments = new Map<string, PaymentPayload>();
  /** Settlements made. */
  charged = 0;
  #jobs = new Map<string, Job[]>();
  #count = 0;

  constructor(readonly result: Omit<ProveResult, "jobToken">) {}

  readonly fetch: typeof fetch = async (input, init) => {
    init?.signal?.throwIfAborted();
    const fault = this.faults.shift() ?? "ok";
    if (fault === "drop-request") throw new TypeError("fetch failed");
    if (fault === "busy") {
      return Response.json(
        { error: "BUSY", message: "full" },
        { status: 503, headers: { "retry-after": "0" } },
      );
    }
    if (fault === "bad-gateway") return new Response("<html>", { status: 502 });
    if (fault === "restart") this.#jobs.clear();
    const url = new URL(String(input));
    const text = typeof init?.body === "string" ? init.body : "null";
    const body: unknown = JSON.parse(text);
    const seen = {
      path: url.pathname,
      method: init?.method ?? "GET",
      body,
      headers: new Headers(init?.headers),
    };
    this.seen.push(seen);
    const response = await this.#answer(seen, fault);
    if (fault === "drop-answer") throw new TypeError("terminated");
    return response;
  };

  get paid(): Seen[] {
    return this.seen.filter((request) => request.headers.has("payment-signature"));
  }

  async #answer(request: Seen, fault: Fault): Promise<Response> {
    if (request.method === "POST") return this.#prove(request);
    const token = z.string().parse(request.path.split("/")[4]);
    const states = this.#jobs.get(token);
    if (!states) return Response.json({ error: "UNKNOWN_JOB", message: "no such job" }, { status: 404 });
    if (!request.path.endsWith("/events"))
      return Response.json(states.length > 1 ? states.shift() : states[0]);
    if (!this.streaming) return new Response("not found", { status: 404 });
    const events = (fault === "cut-stream" ? states.slice(0, 1) : states).map(
      (job) => `event: ${job.status}\ndata: ${JSON.stringify(job)}\n\n`,
    );
    return new Response(`: hello\n\n${events.join("")}`, {
      headers: { "content-type": "text/event-stream" },
    });
  }

  async #prove(request: Seen): Promise<Response> {
    const { circuit, inputs } = proveRequestSchema.parse(request.body);
    const payment = decodeHeader(paymentPayloadSchema, request.headers.get("payment-signature"));
    if (!inputs || !payment) return this.#challenge(circuit);
    const error = this.paidErrors.shift();
    if (error) return Response.json(error.body, { status: error.status });
    const refusal = await this.#open(circuit, inputs);
    if (refusal) return unreadable(refusal);
    const id = payment.payload.authorization.nonce;
    if (!this.payments.has(id)) this.charged++;
    this.payments.set(id, payment);
    const token = `job-${++this.#count}`;
    this.#jobs.set(token, this.#states(token, payment));
    return Response.json({ jobToken: token }, { status: 202 });
  }

  /** Reads inputs as `prover/encryption.ts` says; the reason where they cannot be. */
  async #open(circuit: string, inputs: Record<string, unknown>): Promise<string | null> {
    const sealed = z.object({ encrypted: z.string() }).safeParse(inputs);
    if (!this.sealingKey) {
      if (sealed.success) return "encryption_unavailable";
      this.read.push(inputs);
      return null;
    }
    if (!sealed.success) return "encryption_required";
    const { privateKey } = this.sealingKey;
    const opened = await unseal(privateKey, circuit, sealed.data.encrypted).catch(() => null);
    if (opened === null) return "decryption_failed";
    this.read.push(opened);
    return null;
  }

  #challenge(circuit: string): Response {
    const challenge = {
      x402Version: 2,
      error: "PAYMENT_REQUIRED",
      resource: { url: `${this.proverUrl}/api/v1/prove`, description: circuit, mimeType: "application/json" },
      accepts: this.accepts,
      nonce: this.nonce,
    };
    const body = {
      ...challenge,
      message: "pay",
      requiresPayment: true,
      guideUrl: "/g",
      teePublicKey: this.teePublicKey ?? this.sealingKey?.publicKey ?? null,
    };
    return Response.json(body, { status: 402, headers: { "PAYMENT-REQUIRED": encodeHeader(challenge) } });
  }

  #states(token: string, payment: PaymentPayload): Job[] {
    const { network, amount } = payment.accepted;
    const settled = { network, amount, transaction: TRANSACTION, payer: payment.payload.authorization.from };
    const states: Job[] = [
      { status: "settling" },
      { status: "queued", position: 1, expectedMs: 9000, payment: settled },
      { status: "witness", payment: settled },
      { status: "proving", elapsedMs: 10, expectedMs: 2000, payment: settled },
      { status: "checking", payment: settled },
    ];
    if (this.failures > 0) {
      this.failures--;
      const error = { error: "PROVE_FAILED" as const, message: "failed", reason: this.failureReason };
      return [...states, { status: "failed", error, payment: settled }];
    }
    return [...states, { status: "done", result: { ...this.result, jobToken: token }, payment: settled }];
  }
}

function unreadable(reason: string): Response {
  return Response.json(
    { error: "INVALID_INPUTS", message: "unreadable", field: "inputs", reason },
    { status: 400 },
  );
}
