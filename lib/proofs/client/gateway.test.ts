import { BatchEvmScheme } from "@circle-fin/x402-batching/client";
import { recoverTypedDataAddress } from "viem";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { PaymentOffer } from "../deployment";
import type { OidcPublicInputs } from "../layouts/oidc";
import { FakeProver, offer, ourOffer, payee } from "../testing/prover";
import { account, circuit, countingWallet, purchase, resultFor } from "../testing/purchase";
import { decodeHeader, paymentPayloadSchema } from "../wire";
import { type BuyProofRequest, buyProof } from "./buy";
import { memoryStore } from "./stores";

const asset = "0x3600000000000000000000000000000000000000";
const contract = "0x0077777d7EBA4688BDeF3E311b846F25870A19B9";
const eip712 = { name: "GatewayWalletBatched", version: "1" };
const gateway = {
  ...offer,
  network: "eip155:5042002" as const,
  asset,
  settlement: "gateway" as const,
  maxTimeoutSeconds: 345_600,
  extra: { ...eip712, verifyingContract: contract },
  eip712_domain: { ...eip712, chainId: 5042002, verifyingContract: contract },
} as const;
const ours: PaymentOffer = {
  chainId: 5042002,
  network: "eip155:5042002",
  asset,
  symbol: "USDC",
  decimals: 6,
  amount: "100000",
  payTo: payee,
  settlement: "gateway",
  eip712,
  verifyingContract: contract,
};

let inputs: Awaited<ReturnType<typeof purchase>>["inputs"];
let facts: OidcPublicInputs;
let prover: FakeProver;
let wallet: ReturnType<typeof countingWallet>;
beforeAll(async () => {
  ({ inputs, facts } = await purchase());
});
beforeEach(() => {
  prover = new FakeProver(resultFor(facts));
  prover.accepts = [offer, gateway];
  wallet = countingWallet();
});
const buy = (over: Partial<BuyProofRequest> = {}) =>
  buyProof({
    proverUrl: prover.proverUrl,
    fetch: prover.fetch,
    circuit,
    inputs,
    wallet,
    expectedOffers: [ourOffer, ours],
    store: memoryStore(),
    jobKey: "one",
    ...over,
  });

describe("an offer that settles from a gateway deposit", () => {
  it("is passed over where nobody said that there is a deposit", async () => {
    await buy();
    expect(wallet.signed[0]?.domain).toEqual(offer.eip712_domain);
    prover.accepts = [gateway];
    await expect(buy()).rejects.toMatchObject({ code: "OFFER_UNKNOWN" });
    expect(wallet.signed).toHaveLength(1);
  });

  it("is paid first where the caller said so, signed as the gateway's own client signs", async () => {
    await buy({ allowGateway: true, expectedOffers: [ours] });
    const [signed] = wallet.signed;
    if (!signed) expect.fail("nothing signed");
    const header = prover.paid[0]?.headers.get("payment-signature");
    const { payload } = decodeHeader(paymentPayloadSchema, header) ?? expect.fail("unreadable payment");
    expect(await recoverTypedDataAddress({ ...signed, signature: payload.signature })).toBe(account.address);

    const theirs = await new BatchEvmScheme({
      address: account.address,
      signTypedData: async (data) => {
        expect(data).toMatchObject({
          domain: signed.domain,
          primaryType: signed.primaryType,
          types: signed.types,
        });
        return "0x";
      },
    }).createPaymentPayload(2, { ...gateway, extra: { ...gateway.extra } });
    expect(signed.domain.verifyingContract).toBe(contract);
    const authorization = paymentPayloadSchema.shape.payload.shape.authorization.parse(
      theirs.payload.authorization,
    );
    const apart = Number(authorization.validBefore) - Number(payload.authorization.validBefore);
    expect(Math.abs(apart)).toBeLessThan(5);
  });

  it("is not paid to another contract than the installation's, nor under another domain", async () => {
    const stranger = "0x00000000000000000000000000000000000000bb";
    const named = (verifyingContract: string, name = eip712.name) => ({
      ...gateway,
      extra: { ...eip712, name, verifyingContract },
      eip712_domain: { ...gateway.eip712_domain, name, verifyingContract },
    });
    for (const wrong of [
      named(stranger),
      named(contract, "USD Coin"),
      { ...named(contract), extra: eip712 },
      { ...named(contract), extra: { ...eip712, verifyingContract: stranger } },
    ]) {
      prover.accepts = [wrong];
      const paid = buy({ allowGateway: true, expectedOffers: [ours] });
      await expect(paid).rejects.toMatchObject({ code: "OFFER_UNKNOWN" });
    }
    expect(wallet.signed).toHaveLength(0);
  });
});
