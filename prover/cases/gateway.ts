import { GatewayClient, registerBatchScheme } from "@circle-fin/x402-batching/client";
import { x402Client } from "@x402/core/client";
import { wrapFetchWithPayment } from "@x402/fetch";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { proveResultSchema } from "@/lib/proofs/wire";
import { startTestGateway, type TestGateway } from "../testing/gateway";
import { type Changes, createPayer, type SignedPayment } from "../testing/payer";
import { circuit } from "../testing/prover-client";
import { price, type ReplayingBackend, type RunningProver, type Stack } from "../testing/stack";

const network = "eip155:5042002";
const week = 7 * 24 * 3600;
const now = () => Math.floor(Date.now() / 1000);
const somebody = privateKeyToAddress(generatePrivateKey());

/** Batched nano-payments: settled against what the payer has deposited with a gateway. */
export function gateway(stack: () => Stack): void {
  describe("paying from a gateway deposit", () => {
    let test: TestGateway;
    let running: RunningProver;
    let backend: ReplayingBackend;
    beforeAll(async () => {
      const { deployment, payTo, main } = stack();
      test = await startTestGateway(payTo);
      const { offer } = test;
      backend = stack().replaying();
      const arc = {
        ...{ id: offer.chainId, name: "arc", explorerUrl: null },
        ...{ rpcUrl: main.anvil.rpcUrl, publicRpcUrl: main.anvil.rpcUrl },
      };
      running = await stack().start(
        {
          deployment: {
            ...deployment,
            chains: [...deployment.chains, arc],
            offers: [...deployment.offers, offer],
            services: { ...deployment.services, gatewayUrl: test.url },
          },
          ...{ facilitatorTimeoutMs: 1_000, reconcileMs: 1_200 },
        },
        backend,
      );
    });
    afterEach(() => {
      test.proxy.mode = "pass";
    });
    afterAll(async () => {
      await test.close();
    });

    const payer = (deposit = price * 2n) => {
      const made = createPayer();
      test.ledger.deposit(network, made.address, deposit);
      return made;
    };
    const signing = async (wallet = payer(), changes: Changes = {}) => ({
      ...wallet,
      ...(await wallet.sign(await running.client.offer(network), changes)),
    });
    const left = (of: { address: `0x${string}` }) => test.ledger.balance(network, of.address);
    const kept = () => running.rows();
    const buy = async ({ header }: SignedPayment) => await running.client.buy(stack().inputs, header);
    const inputs = () => ({ circuit, inputs: stack().inputs });

    it("is offered with the gateway's contract to sign for and its long validity", async () => {
      expect(await running.client.offer(network)).toMatchObject({
        ...{ settlement: "gateway", maxTimeoutSeconds: week + 100 },
        extra: {
          name: "GatewayWalletBatched",
          version: "1",
          verifyingContract: test.offer.verifyingContract,
        },
        eip712_domain: { verifyingContract: test.offer.verifyingContract, chainId: 5042002 },
      });
      const { maxTimeoutSeconds } = await running.client.offer("eip155:8453");
      expect(maxTimeoutSeconds).toBe(300);
    });

    it("moves the deposit and nothing on chain, and is charged once", async () => {
      const wallet = await signing();
      const first = await buy(wallet);
      expect([first.status, first.error?.reason]).toEqual([200, undefined]);
      const [transfer] = test.ledger.transfers({ from: wallet.address });
      expect(first.transaction).toBe(transfer?.id);
      const row = (await kept()).find(({ tx_hash }) => tx_hash === transfer?.id);
      expect(row).toMatchObject({ settlement: "gateway", state: "proven" });
      const again = await buy(wallet);
      expect([again.status, left(wallet)]).toEqual([200, price]);
    });

    it("works with the package's own client", async () => {
      const privateKey = generatePrivateKey();
      test.ledger.deposit(network, privateKeyToAddress(privateKey), price);
      const { rpcUrl } = stack().main.anvil;
      const client = new GatewayClient({ chain: "arcTestnet", privateKey, rpcUrl });
      const bought = await client.pay(`${running.client.url}/api/v1/prove`, {
        ...{ method: "POST", body: inputs() },
      });
      expect(bought).toMatchObject({ status: 200, amount: price });
      proveResultSchema.parse(bought.data);
      expect(test.ledger.balance(network, client.address)).toBe(0n);
    });

    it("works with a stock x402 client that has the package's scheme", async () => {
      const wallet = payer(price);
      // Out of the box it knows no dollar on Arc.
      const client = new x402Client().setSpendControls({
        allowedAssets: [{ network, asset: test.offer.asset }],
      });
      registerBatchScheme(client, { signer: wallet.account, networks: [network] });
      const response = await wrapFetchWithPayment(fetch, client)(`${running.client.url}/api/v1/prove`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(inputs()),
      });
      expect([response.status, left(wallet)]).toEqual([200, 0n]);
    });

    const wrong: { reason: string; name: string; changes: () => Changes }[] = [
      { name: "underpaid", reason: "wrong_amount", changes: () => ({ value: "99999" }) },
      { name: "overpaid", reason: "wrong_amount", changes: () => ({ value: "100001" }) },
      { name: "to another recipient", reason: "wrong_recipient", changes: () => ({ to: somebody }) },
      { name: "in another token", reason: "wrong_asset", changes: () => ({ asset: somebody }) },
      {
        name: "good for less than a batch takes",
        reason: "expired",
        changes: () => ({ validBefore: now() + week }),
      },
      { name: "early", reason: "not_yet_valid", changes: () => ({ validAfter: now() + 60 }) },
      {
        ...{ name: "with a foreign signature", reason: "invalid_signature" },
        changes: () => ({ signature: `0x${"11".repeat(64)}1b` }),
      },
    ];
    it.each(wrong)("$name: $reason", async ({ reason, changes }) => {
      const wallet = await signing(payer(), changes());
      const before = await kept();
      const { status, error } = await buy(wallet);
      expect([status, error?.reason]).toEqual([402, reason]);
      expect([left(wallet), await kept()]).toEqual([price * 2n, before]);
    });

    it("signed for the token instead of the gateway: invalid_signature", async () => {
      const offer = await running.client.offer(network);
      const eip712_domain = { ...offer.eip712_domain, verifyingContract: offer.asset };
      const signed = await payer().sign({ ...offer, eip712_domain });
      expect((await buy(signed)).error?.reason).toBe("invalid_signature");
    });

    it("not enough deposited: insufficient_deposit, whatever the wallet holds", async () => {
      const wallet = await signing(payer(price - 1n));
      await stack().main.mint(wallet.address, price);
      expect((await buy(wallet)).error?.reason).toBe("insufficient_deposit");
      test.ledger.deposit(network, wallet.address, 1n);
      expect((await buy(wallet)).status).toBe(200);
    });

    it("payments F17: already settled by somebody else: it paid us, so it buys its proof", async () => {
      const wallet = await signing();
      const { from, to, value, nonce } = wallet.signed.authorization;
      test.ledger.settle({ network, from, to, amount: BigInt(value), nonce });
      expect([(await buy(wallet)).status, left(wallet)]).toEqual([200, price]);
    });

    it("refused by the gateway alone: refused_by_gateway", async () => {
      const wallet = await signing();
      test.proxy.mode = "disown";
      expect((await buy(wallet)).error?.reason).toBe("refused_by_gateway");
      expect(left(wallet)).toBe(price * 2n);
    });

    it("the gateway is down: 503, nothing kept, and the same payment works once it is back", async () => {
      const wallet = await signing();
      const before = (await kept()).length;
      test.proxy.mode = "down";
      const { status, error } = await buy(wallet);
      expect([status, error?.error, error?.reason]).toEqual([503, "BUSY", "settlement_unavailable"]);
      expect((await kept()).length).toBe(before);
      test.proxy.mode = "pass";
      expect([(await buy(wallet)).status, left(wallet)]).toEqual([200, price]);
    });

    it.each(["swallow", "deny"] as const)(
      "settled, but %s: its transfer is found, proof delivered",
      async (mode) => {
        const wallet = await signing();
        test.proxy.mode = mode;
        const answer = await buy(wallet);
        const [transfer] = test.ledger.transfers({ from: wallet.address });
        expect([answer.status, answer.transaction, left(wallet)]).toEqual([200, transfer?.id, price]);
      },
    );

    it.each(["lie", "refuse"] as const)(
      "did not settle and %s: no proof, 503, the resend settles once",
      async (mode) => {
        const wallet = await signing();
        const asked = backend.asked;
        test.proxy.mode = mode;
        const first = await buy(wallet);
        expect([first.status, first.error?.reason]).toEqual([503, "settlement_unconfirmed"]);
        expect([left(wallet), backend.asked]).toEqual([price * 2n, asked]);
        test.proxy.mode = "pass";
        const answers = await Promise.all([buy(wallet), buy(wallet)]);
        expect(answers.map((answer) => answer.status)).toEqual([200, 200]);
        expect([left(wallet), backend.asked]).toEqual([price, asked + 1]);
      },
    );

    it("gone after it settled: 503, and the resend does not settle again", async () => {
      const wallet = await signing();
      test.proxy.mode = "blind";
      const first = await buy(wallet);
      const told = [first.status, first.error?.reason, left(wallet)];
      expect(told).toEqual([503, "settlement_unconfirmed", price]);
      test.proxy.mode = "pass";
      const settled = test.proxy.settled;
      expect([(await buy(wallet)).status, test.proxy.settled, left(wallet)]).toEqual([200, settled, price]);
    });
  });
}
