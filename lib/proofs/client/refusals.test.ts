import type { Hex } from "viem";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { encodeOidcPublicInputs, type OidcPublicInputs } from "../layouts/oidc";
import { FakeProver, offer, ourOffer, payee } from "../testing/prover";
import { countingWallet, purchase, requestTo, resultFor } from "../testing/purchase";
import { type BuyProofRequest, buyProof, forgetPayment } from "./buy";
import { memoryStore, type PaymentStore } from "./stores";

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
      const known = buyProof(request());
      await expect(known).rejects.toMatchObject({ code: "OFFER_UNKNOWN" });
    }
    expect(wallet.signed).toHaveLength(0);
    prover.accepts = [{ scheme: "odd" }, offer, { ...offer, payTo: stranger }];
    await buyProof(request());
    expect(wallet.signed[0]?.message.to).toBe(payee);
  });

  it("payments F18: a token with the price's number and other decimals is no offer of ours", async () => {
    const bitcoin = "0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf";
    const extra = { name: "Coinbase Wrapped BTC", version: "2" };
    const eip712_domain = { ...offer.eip712_domain, ...extra, verifyingContract: bitcoin };
    // 100000 units of it are a hundred dollars and more, and the cap counts units.
    prover.accepts = [{ ...offer, asset: bitcoin, decimals: 6, extra, eip712_domain }];
    await expect(buyProof(request())).rejects.toMatchObject({ code: "OFFER_UNKNOWN" });
    expect(wallet.signed).toHaveLength(0);
    // The type asks for what to expect; without it nothing is.
    await expect(buyProof(request({ expectedOffers: [] }))).rejects.toMatchObject({ code: "OFFER_UNKNOWN" });
  });

  it("lets the caller choose the network", async () => {
    const second = { ...offer, network: "eip155:1", eip712_domain: { ...offer.eip712_domain, chainId: 1 } };
    prover.accepts = [offer, second];
    await buyProof(
      request({
        expectedOffers: [ourOffer, { ...ourOffer, chainId: 1, network: "eip155:1" }],
        accept: (offers) => offers.find((candidate) => candidate.network === "eip155:1"),
      }),
    );
    expect(wallet.signed[0]?.domain.chainId).toBe(1);
    await expect(buyProof(request({ jobKey: "2", accept: () => undefined }))).rejects.toMatchObject({
      code: "OFFER_UNKNOWN",
    });
  });

  it("pays nothing where the prover's encryption key cannot be read", async () => {
    prover.teePublicKey = "0x04";
    await expect(buyProof(request())).rejects.toMatchObject({ code: "BAD_ANSWER" });
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
      prover = new FakeProver(resultFor({ ...facts, ...change }));
      await expect(buyProof(request({ store: memoryStore() }))).rejects.toMatchObject({
        code: "RESULT_MISMATCH",
        message: expect.stringContaining(Object.keys(change)[0] ?? ""),
      });
    }
    prover = new FakeProver({ ...resultFor(facts), circuit: "network_eligibility" });
    await expect(buyProof(request({ store: memoryStore() }))).rejects.toMatchObject({
      code: "RESULT_MISMATCH",
    });
    prover = new FakeProver({ ...resultFor(facts), publicInputs: resultFor(facts).publicInputs.slice(1) });
    await expect(buyProof(request({ store: memoryStore() }))).rejects.toMatchObject({
      code: "RESULT_MISMATCH",
    });
    prover = new FakeProver(resultFor(facts));
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
    prover = new FakeProver(resultFor(facts));
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
});
