import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { BatchEvmScheme } from "@circle-fin/x402-batching/client";
import { BatchFacilitatorClient } from "@circle-fin/x402-batching/server";
import { getAddress } from "viem";
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { developmentAccount } from "../accounts";
import { paymentOffers } from "../contracts";
import { DepositLedger } from "./ledger";
import { servedNetworks } from "./requests";
import { startGatewayServer } from "./server";
import { fillDeposits } from "./start";

const asset = getAddress("0x3600000000000000000000000000000000000000");
const offers = paymentOffers(new Map([8453, 1, 5042002].map((id) => [id, asset])));
const [served] = servedNetworks(offers);
const network = "eip155:5042002";
const payTo = privateKeyToAddress(generatePrivateKey());
const payer = privateKeyToAccount(generatePrivateKey());

let folder: string;
let server: Awaited<ReturnType<typeof startGatewayServer>>;
let ledger: DepositLedger;
let client: BatchFacilitatorClient;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "parley-gateway-"));
  ledger = new DepositLedger(path.join(folder, "gateway.json"));
  server = await startGatewayServer({ port: 0, networks: servedNetworks(offers), ledger });
  client = new BatchFacilitatorClient({ url: server.url });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const requirements = {
  ...{ scheme: "exact", network, asset, amount: "100000", payTo, maxTimeoutSeconds: 604_900 },
  extra: {
    name: "GatewayWalletBatched",
    version: "1",
    verifyingContract: served?.verifyingContract ?? asset,
  },
};

/** A payment made by the package's own client. */
async function pay(changes: Partial<typeof requirements> = {}) {
  const asked = { ...requirements, ...changes };
  const signed = await new BatchEvmScheme(payer).createPaymentPayload(2, { ...asked, network });
  return { ...signed, payload: { ...signed.payload }, accepted: asked };
}

describe("the stub gateway", () => {
  it("names the networks and contracts of the deployment's offers", async () => {
    expect((await client.getSupported()).kinds).toMatchObject([
      {
        scheme: "exact",
        network,
        extra: { verifyingContract: "0x0077777d7EBA4688BDeF3E311b846F25870A19B9" },
      },
    ]);
  });

  it("settles against the deposit only, once for each authorization", async () => {
    const payment = await pay();
    expect(await client.verify(payment, requirements)).toEqual({ isValid: true, payer: payer.address });
    expect(await client.settle(payment, requirements)).toMatchObject({
      success: false,
      errorReason: "insufficient_balance",
    });
    ledger.deposit(network, payer.address, 150_000n);
    const settled = await client.settle(payment, requirements);
    expect(settled).toMatchObject({ success: true, payer: payer.address });
    expect(await client.settle(payment, requirements)).toMatchObject({
      ...{ success: false, errorReason: "nonce_already_used", transaction: "" },
    });
    expect([ledger.balance(network, payer.address), ledger.balance(network, payTo)]).toEqual([
      50_000n,
      100_000n,
    ]);
    const found = await fetch(`${server.url}/v1/x402/transfers/${settled.transaction}`);
    expect(await found.json()).toMatchObject({
      amount: "100000",
      fromAddress: payer.address,
      toAddress: payTo,
    });
  });

  it.each([
    ["amount_mismatch", { amount: "99999" }],
    ["address_mismatch", { payTo: asset }],
    ["unsupported_asset", { asset: payTo }],
    ["unsupported_network", { network: "eip155:1" }],
    ["invalid_signature", {}],
  ] as const)("refuses what was signed for something else: %s", async (reason, changes) => {
    const payment = await pay();
    if (reason === "invalid_signature") payment.payload.signature = `0x${"11".repeat(64)}1b`;
    expect(await client.verify(payment, { ...requirements, ...changes })).toMatchObject({
      ...{ isValid: false, invalidReason: reason },
    });
  });

  it("keeps its ledger over a restart, and fills up the development accounts once", async () => {
    expect(await fillDeposits(server.url, offers)).toBe(2);
    expect(await fillDeposits(server.url, offers)).toBe(0);
    const again = new DepositLedger(path.join(folder, "gateway.json"));
    expect(again.balance(network, developmentAccount("browser").address)).toBe(100_000_000n);
    expect(again.transfers({ from: payer.address })).toHaveLength(1);
  });
});
