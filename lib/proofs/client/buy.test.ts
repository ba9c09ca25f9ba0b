import { PaymentPayloadV2Schema } from "@x402/core/schemas";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import fc from "fast-check";
import { type Hex, recoverTypedDataAddress } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { encodeOidcPublicInputs, type OidcPublicInputs } from "../layouts/oidc";
import { oidcFacts } from "../oidc/claims";
import { FakeProver, type Fault, offer, payee } from "../testing/prover";
import { testIssuer } from "../testing/tokens";
import { decodeHeader, type ProveResult, paymentPayloadSchema } from "../wire";
import { type BuyProofRequest, buyProof, forgetPayment, resumeProof } from "./buy";
import type { PayingWallet, TransferTypedData } from "./payment";
import type { ProofProgress } from "./progress";
import { memoryStore, type PaymentStore } from "./stores";

const account = privateKeyToAccount(generatePrivateKey());
const circuit = "oidc_domain_attestation";
let inputs: { jwt: string; scope: string; provider: "provider_a" };
let facts: OidcPublicInputs;

beforeAll(async () => {
  const issuer = await testIssuer("k");
  const now = Math.floor(Date.now() / 1000);
  const jwt = await issuer.sign({
    iss: "https://i.test",
    email: "a@b.c",
    email_verified: true,
    iat: now,
    exp: now + 600,
  });
  inputs = { jwt, scope: "zk-community", provider: "provider_a" };
  facts = { ...oidcFacts(jwt, inputs), modulus: (1n << 2047n) + 1n };
});

function resultFor(over: Partial<OidcPublicInputs> = {}): Omit<ProveResult, "jobToken"> {
  return {
    circuit,
    proof: "0x1234",
    publicInputs: encodeOidcPublicInputs({ ...facts, ...over }),
    proofWithInputs: "0x1234",
    verification: { chainId: 8453, verifierAddress: payee, rpcUrl: "https://rpc.test" },
    timing: { totalMs: 1, paymentMs: 1, witnessMs: 1, proveMs: 1 },
    attestation: null,
  };
}

function countingWallet(): PayingWallet & { signed: TransferTypedData[] } {
  const signed: TransferTypedData[] = [];
  return {
    address: account.address,
    signed,
    signTypedData: (data) => {
      signed.push(data);
      return account.signTypedData(data);
    },
  };
}

let prover: FakeProver;
let wallet: ReturnType<typeof countingWallet>;
let store: PaymentStore;
beforeEach(() => {
  prover = new FakeProver(resultFor());
  wallet = countingWallet();
  store = memoryStore();
});
const request = (over: Partial<BuyProofRequest> = {}): BuyProofRequest => ({
  proverUrl: prover.proverUrl,
  fetch: prover.fetch,
  circuit,
  inputs,
  wallet,
  store,
  jobKey: "login-1",
  retryPausesMs: [0, 0, 0, 0, 0, 0, 0, 0],
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
    expect(events).toContainEqual({ stage: "queued", position: 1 });
    expect(events).toContainEqual({ stage: "proving", elapsedMs: 10, expectedMs: 2000 });
    expect(events.find((event) => event.stage === "settled")).toMatchObject({ payer: account.address });
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
          prover = new FakeProver(resultFor());
          prover.faults = plan;
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
          for (let reload = 0; reload < 10 && !result; reload++)
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

  it("refuses prices above the cap, before signing", async () => {
    prover.accepts = [{ ...offer, amount: "100001" }];
    await expect(buyProof(request())).rejects.toMatchObject({ code: "PRICE_TOO_HIGH" });
    await expect(buyProof(request({ maxAmount: 100_000n }))).rejects.toMatchObject({
      code: "PRICE_TOO_HIGH",
    });
    expect(wallet.signed).toHaveLength(0);
    await buyProof(request({ maxAmount: 100_001n }));
    expect(wallet.signed[0]?.message.value).toBe(100_001n);
  });

  it("refuses offers this installation does not know, and offers that contradict themselves", async () => {
    const ours = {
      chainId: 8453,
      network: "eip155:8453" as const,
      asset: offer.asset,
      symbol: "USDC",
      decimals: 6 as const,
      amount: "100000",
      payTo: payee,
      settlement: "facilitator" as const,
      eip712: { name: "USD Coin", version: "2" },
    };
    const stranger = "0x00000000000000000000000000000000000000bb";
    const bad: Record<string, unknown>[] = [
      { payTo: stranger },
      { asset: stranger, eip712_domain: { ...offer.eip712_domain, verifyingContract: stranger } },
      { eip712_domain: { ...offer.eip712_domain, verifyingContract: stranger } },
      { eip712_domain: { ...offer.eip712_domain, chainId: 1 } },
      { network: "eip155:1", eip712_domain: { ...offer.eip712_domain, chainId: 1 } },
      { extra: { name: "Other", version: "2" } },
      { settlement: "gateway" },
      { scheme: "upto" },
    ];
    for (const change of bad) {
      prover.accepts = [{ ...offer, ...change }];
      const known = buyProof(request({ expectedOffers: [ours] }));
      await expect(known).rejects.toMatchObject({ code: "OFFER_UNKNOWN" });
    }
    expect(wallet.signed).toHaveLength(0);
    prover.accepts = [{ scheme: "odd" }, offer, { ...offer, payTo: stranger }];
    await buyProof(request({ expectedOffers: [ours] }));
    expect(wallet.signed[0]?.message.to).toBe(payee);
  });

  it("lets the caller choose the network", async () => {
    const second = { ...offer, network: "eip155:1", eip712_domain: { ...offer.eip712_domain, chainId: 1 } };
    prover.accepts = [offer, second];
    await buyProof(
      request({ accept: (offers) => offers.find((candidate) => candidate.network === "eip155:1") }),
    );
    expect(wallet.signed[0]?.domain.chainId).toBe(1);
    await expect(buyProof(request({ jobKey: "2", accept: () => undefined }))).rejects.toMatchObject({
      code: "OFFER_UNKNOWN",
    });
  });

  it("does not hand inputs in the clear to a prover that wants them encrypted", async () => {
    prover.teePublicKey = "0x04";
    await expect(buyProof(request())).rejects.toMatchObject({ code: "ENCRYPTION_REQUIRED" });
    expect(wallet.signed).toHaveLength(0);
  });

  it("refuses a token that cannot be proven before asking for money", async () => {
    await expect(buyProof(request({ inputs: { ...inputs, jwt: "a.b.c" } }))).rejects.toMatchObject({
      code: "TOKEN_MALFORMED",
    });
    await expect(buyProof(request({ inputs: { ...inputs, provider: "provider_b" } }))).rejects.toMatchObject({
      code: "EMAIL_NOT_VERIFIED",
    });
    expect(prover.seen).toHaveLength(0);
  });

  it("refuses a proof about something else", async () => {
    const other: Hex = `0x${"99".repeat(32)}`;
    const changes: Partial<OidcPublicInputs>[] = [
      { domain: "evil.test" },
      { scope: other },
      { nullifier: other },
      { provider: "provider_b" },
      { nonce: "other" },
      { iat: 1_700_000_000 },
    ];
    for (const change of changes) {
      prover = new FakeProver(resultFor(change));
      await expect(buyProof(request({ store: memoryStore() }))).rejects.toMatchObject({
        code: "RESULT_MISMATCH",
        message: expect.stringContaining(Object.keys(change)[0] ?? ""),
      });
    }
    prover = new FakeProver({ ...resultFor(), circuit: "network_eligibility" });
    await expect(buyProof(request({ store: memoryStore() }))).rejects.toMatchObject({
      code: "RESULT_MISMATCH",
    });
    prover = new FakeProver({ ...resultFor(), publicInputs: resultFor().publicInputs.slice(1) });
    await expect(buyProof(request({ store: memoryStore() }))).rejects.toMatchObject({
      code: "RESULT_MISMATCH",
    });
    prover = new FakeProver(resultFor());
    const expectedPublicInputs = encodeOidcPublicInputs({ ...facts, modulus: facts.modulus + 2n });
    await expect(buyProof(request({ store: memoryStore(), expectedPublicInputs }))).rejects.toMatchObject({
      code: "RESULT_MISMATCH",
    });
  });

  it("does not reuse a payment for other inputs", async () => {
    await buyProof(request());
    await expect(buyProof(request({ inputs: { ...inputs, scope: "other" } }))).rejects.toMatchObject({
      code: "JOB_KEY_REUSED",
    });
    await forgetPayment(store, "login-1");
    prover = new FakeProver(resultFor());
    await buyProof(request());
    expect(wallet.signed).toHaveLength(2);
  });

  it("gives a refused payment back to the caller, once and with its reason", async () => {
    prover.paidErrors = [
      { status: 402, body: { error: "PAYMENT_INVALID", message: "too late", reason: "expired" } },
    ];
    await expect(buyProof(request())).rejects.toMatchObject({
      name: "ProverError",
      status: 402,
      code: "PAYMENT_INVALID",
      reason: "expired",
    });
    expect(prover.paid).toHaveLength(1);
    prover.paidErrors = [{ status: 400, body: { error: "INVALID_INPUTS", message: "no", field: "jwt" } }];
    await expect(buyProof(request())).rejects.toMatchObject({ code: "INVALID_INPUTS", field: "jwt" });
    expect(wallet.signed).toHaveLength(1);
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
