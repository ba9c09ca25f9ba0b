import { PaymentPayloadV2Schema } from "@x402/core/schemas";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import fc from "fast-check";
import { recoverTypedDataAddress } from "viem";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { OidcPublicInputs } from "../layouts/oidc";
import { FakeProver, type Fault, offer } from "../testing/prover";
import { account, circuit, countingWallet, purchase, requestTo, resultFor } from "../testing/purchase";
import { decodeHeader, type ProveResult, paymentPayloadSchema } from "../wire";
import { type BuyProofRequest, buyProof, forgetPayment, resumeProof } from "./buy";
import type { ProofProgress } from "./deliver";
import { memoryStore, type PaymentStore } from "./stores";
import type { PayingWallet } from "./wallets";

let inputs: Awaited<ReturnType<typeof purchase>>["inputs"];
let facts: OidcPublicInputs;
let prover: FakeProver;
let wallet: ReturnType<typeof countingWallet>;
let store: PaymentStore;
beforeAll(async () => {
  ({ inputs, facts } = await purchase());
});
beforeEach(() => {
  prover = new FakeProver(resultFor(facts));
  wallet = countingWallet();
  store = memoryStore();
});
const request = (over: Partial<BuyProofRequest> = {}): BuyProofRequest => ({
  ...requestTo(prover, { inputs, wallet, store }),
  ...over,
});

describe("buyProof", () => {
  it("pays once, tells every stage in order, and returns the proof", async () => {
    const events: ProofProgress[] = [];
    const result = await buyProof(request({ onProgress: (event) => events.push(event) }));
    expect(result.proof).toBe("0x1234");
    expect(events.map((event) => event.stage)).toEqual([
      "price",
      "payment",
      "settling",
      "settled",
      "queued",
      "witness",
      "proving",
      "checking",
      "done",
    ]);
    expect(events).toContainEqual({ stage: "queued", position: 1, expectedMs: 9000 });
    expect(events).toContainEqual({ stage: "proving", elapsedMs: 10, expectedMs: 2000 });
    expect(events.find((event) => event.stage === "settled")).toMatchObject({
      payer: account.address,
      amount: "100000",
    });
    expect(wallet.signed).toHaveLength(1);
    expect(prover.charged).toBe(1);
    const [price, paid] = prover.seen;
    expect(price?.body).toEqual({ circuit });
    expect(paid?.headers.get("x-payment-nonce")).toBe(prover.nonce);
    expect(paid?.headers.get("prefer")).toBe("respond-async");
  });

  it("sends a standard x402 v2 payload whose signature is the payer's", async () => {
    await buyProof(request());
    const header = prover.paid[0]?.headers.get("payment-signature");
    const payload = decodeHeader(paymentPayloadSchema, header) ?? expect.fail("unreadable payment");
    expect(PaymentPayloadV2Schema.safeParse(payload).success).toBe(true);
    expect(payload.accepted).toEqual(offer);
    const [signed] = wallet.signed;
    if (!signed) expect.fail("nothing signed");
    const { signature, authorization } = payload.payload;
    expect(await recoverTypedDataAddress({ ...signed, signature })).toBe(account.address);
    const life = Number(authorization.validBefore) - Date.now() / 1000;
    expect(life).toBeGreaterThan(290);
    expect(life).toBeLessThanOrEqual(300);

    // What the x402 project's own client signs for this offer, apart from the random nonce.
    await new ExactEvmScheme({
      address: account.address,
      signTypedData: async (data) => {
        expect(data).toMatchObject({
          domain: signed.domain,
          primaryType: signed.primaryType,
          types: signed.types,
        });
        expect(Object.keys(data.message)).toEqual(Object.keys(signed.message));
        return "0x";
      },
    }).createPaymentPayload(2, offer);
  });

  it("never signs or pays twice for one job, whatever the network, the prover and the page do", async () => {
    const faults = fc.array(
      fc.constantFrom<Fault>(
        "ok",
        "drop-request",
        "drop-answer",
        "busy",
        "bad-gateway",
        "restart",
        "cut-stream",
      ),
      { maxLength: 14 },
    );
    await fc.assert(
      fc.asyncProperty(
        faults,
        fc.boolean(),
        fc.array(fc.nat(12), { maxLength: 3 }),
        async (plan, streaming, crashes) => {
          prover = new FakeProver(resultFor(facts));
          prover.faults = [...plan];
          prover.streaming = streaming;
          wallet = countingWallet();
          store = memoryStore();
          // A crash is a page that dies at its nth request; the next call is the reloaded page.
          for (const at of crashes) {
            const page = new AbortController();
            let requests = 0;
            const dying: typeof fetch = async (...args) => {
              if (requests++ >= at) page.abort(new Error("page closed"));
              page.signal.throwIfAborted();
              return prover.fetch(...args);
            };
            await buyProof(request({ fetch: dying, signal: page.signal })).catch(() => {});
          }
          let result: ProveResult | null = null;
          // Each reload meets at least one fault, until there are none.
          for (let reload = 0; reload <= plan.length && !result; reload++)
            result = await buyProof(request()).catch(() => null);
          expect(result?.proof).toBe("0x1234");
          expect(wallet.signed).toHaveLength(1);
          expect(prover.charged).toBe(1);
          expect(new Set(prover.paid.map((paid) => paid.headers.get("payment-signature"))).size).toBe(1);
        },
      ),
      { numRuns: 60 },
    );
  }, 60_000);

  it("stores before it sends: a store that fails, or a wallet that declines, costs nothing", async () => {
    const failing: PaymentStore = { ...memoryStore(), set: () => Promise.reject(new Error("disk full")) };
    await expect(buyProof(request({ store: failing }))).rejects.toThrow("disk full");
    const declining: PayingWallet = { ...wallet, signTypedData: () => Promise.reject(new Error("declined")) };
    await expect(buyProof(request({ wallet: declining }))).rejects.toThrow("declined");
    expect(await store.get("login-1")).toBeNull();
    expect(prover.paid).toHaveLength(0);
    await buyProof(request());
    expect(prover.charged).toBe(1);
  });

  it("signs once for callers at the same time", async () => {
    const results = await Promise.all([buyProof(request()), buyProof(request()), buyProof(request())]);
    expect(new Set(results).size).toBe(1);
    expect(wallet.signed).toHaveLength(1);
    expect(prover.paid).toHaveLength(1);
  });

  it("leaves an outlived challenge nonce out instead of signing again", async () => {
    prover.paidErrors = [{ status: 400, body: { error: "INVALID_NONCE", message: "expired" } }];
    await buyProof(request());
    expect(prover.paid.map((paid) => paid.headers.get("x-payment-nonce"))).toEqual([prover.nonce, null]);
    expect(wallet.signed).toHaveLength(1);
  });

  it("resends after one failed proof, and reports a second failure with the payment", async () => {
    prover.failures = 1;
    await buyProof(request());
    expect(prover.paid).toHaveLength(2);
    prover.failures = 2;
    await forgetPayment(store, "login-1");
    const failed = buyProof(request());
    await expect(failed).rejects.toMatchObject({ code: "PROVE_FAILED", payment: { payer: account.address } });
    expect(wallet.signed).toHaveLength(2);
  });

  it("resends after each stop of a prover that interrupted its proof, for none has failed", async () => {
    prover.failures = 3;
    prover.failureReason = "interrupted";
    await buyProof(request());
    expect(prover.paid).toHaveLength(4);
    expect([prover.charged, wallet.signed.length]).toEqual([1, 1]);
  });

  it("stops in time and continues later", async () => {
    prover.faults = ["ok", ...Array.from({ length: 50 }, () => "drop-request" as const)];
    const slow = request({ timeoutMs: 50, retryPausesMs: [20, 20, 20, 20, 20, 20] });
    await expect(buyProof(slow)).rejects.toMatchObject({ code: "TIMEOUT" });
    prover.faults = [];
    const page = new AbortController();
    page.abort(new Error("left"));
    await expect(buyProof(request({ signal: page.signal }))).rejects.toThrow("left");
    await buyProof(request());
    expect(prover.charged).toBe(1);
  });
});

describe("resumeProof", () => {
  it("finishes a paid job without its inputs", async () => {
    await buyProof(request());
    const { inputs: _inputs, wallet: _wallet, ...rest } = request();
    expect((await resumeProof(rest)).proof).toBe("0x1234");
    expect(prover.paid).toHaveLength(1);
  });

  it("asks for the inputs when the prover restarted, and has nothing to resume without a payment", async () => {
    const { inputs: _inputs, wallet: _wallet, ...rest } = request();
    await expect(resumeProof(rest)).rejects.toMatchObject({ code: "NOTHING_TO_RESUME" });
    await buyProof(request());
    prover.faults = ["restart"];
    await expect(resumeProof(rest)).rejects.toMatchObject({ code: "INPUTS_NEEDED" });
    await buyProof(request());
    expect(wallet.signed).toHaveLength(1);
    expect(prover.charged).toBe(1);
  });
});
