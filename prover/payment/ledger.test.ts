import { hexToNumber, numberToHex } from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { Chains } from "../chains";
import { type OwnKeyWorld, startOwnKeyWorld } from "../testing/own-key";
import { createPayer } from "../testing/payer";
import { type RpcProxy, startRpcProxy } from "../testing/rpc-proxy";
import { checkPayment } from "./checks";
import { ChainUnavailableError, Ledger } from "./ledger";
import { requirements } from "./payment";

const rangeSchema = z.looseObject({
  fromBlock: z.templateLiteral(["0x", z.string()]).transform((hex) => hexToNumber(hex)),
  toBlock: z.templateLiteral(["0x", z.string()]).transform((hex) => hexToNumber(hex)),
});

let world: OwnKeyWorld;
let proxy: RpcProxy;
let ledger: Ledger;
const dead = "http://127.0.0.1:9";

/** A ledger that asks these nodes. */
function ledgerOf(rpcUrl: string, rpcUrls?: string[]): Ledger {
  const chains = world.deployment.chains.map((chain) => ({ ...chain, rpcUrl, rpcUrls }));
  return new Ledger(new Chains({ ...world.deployment, chains }), 20n);
}

beforeAll(async () => {
  world = await startOwnKeyWorld();
  proxy = await startRpcProxy(world.chain.anvil.rpcUrl);
  ledger = ledgerOf(proxy.url);
});
afterAll(async () => {
  await proxy.close();
  await world.stop();
});
beforeEach(() => {
  proxy.asked.length = 0;
  proxy.answer = (request) => request;
});

/** Blocks of every search for logs. */
const ranges = () =>
  proxy.asked.flatMap(({ method, params }) => (method === "eth_getLogs" ? rangeSchema.parse(params[0]) : []));
const height = async () => Number(await world.chain.client.getBlockNumber({ cacheTime: 0 }));
const chainTime = async () => Number((await world.chain.client.getBlock()).timestamp);

describe("payments F14: the search for a settlement", () => {
  it("takes what the node allows at once, and no more than a page", async () => {
    const payment = await world.authorize({ validBefore: (await chainTime()) + 100_000 });
    const from = await height();
    await world.control.mine({ blocks: 41 });
    const transaction = await world.chain.submit(payment.payload.payload);
    expect(await ledger.outcome(payment, BigInt(from))).toMatchObject({ status: "settled", transaction });
    expect(ranges().map(({ fromBlock, toBlock }) => toBlock - fromBlock + 1)).toEqual([20, 20, 3]);

    proxy.asked.length = 0;
    proxy.answer = (request) => {
      const { data } = rangeSchema.safeParse(request.params[0]);
      const tooLong = request.method === "eth_getLogs" && data && data.toBlock - data.fromBlock >= 5;
      return tooLong ? "query exceeds max block range 5" : request;
    };
    expect(await ledger.outcome(payment, BigInt(from))).toMatchObject({ status: "settled", transaction });
    expect(ranges().length).toBeLessThan(15);

    proxy.answer = (request) => (request.method === "eth_getLogs" ? "not supported" : request);
    await expect(ledger.outcome(payment, BigInt(from))).rejects.toThrow(ChainUnavailableError);
  });

  it("ends an hour after the authorization's own life, however late it is asked", async () => {
    const payment = await world.authorize({ validBefore: (await chainTime()) + 50 });
    await world.chain.submit(payment.payload.payload);
    const used = await height();
    await world.control.mine({ blocks: 60, interval: 100 });
    // Past its use there is nothing to find, and the search goes as far as it may.
    expect(await ledger.outcome(payment, BigInt(used + 1))).toEqual({ status: "unknown" });
    // 3,650 seconds are 37 blocks.
    const last = Math.max(...ranges().map(({ toBlock }) => toBlock));
    expect(last - used).toBeGreaterThan(30);
    expect(last - used).toBeLessThan(40);
  });

  it("does not call a settled payment expired because one of the nodes lags behind", async () => {
    const payment = await world.authorize({ validBefore: (await chainTime()) + 100 });
    const from = await height();
    await world.chain.submit(payment.payload.payload);
    await world.control.mine({ blocks: 2, interval: 200 });
    // The node that answers calls has not seen the settlement; the one that tells the head has.
    proxy.answer = (request) => {
      if (request.method !== "eth_call") return request;
      const [call, block] = request.params;
      if (block === "latest") return { ...request, params: [call, numberToHex(from)] };
      return typeof block === "string" && hexToNumber(`0x${block.slice(2)}`) > from
        ? "unknown block"
        : request;
    };
    await expect(ledger.outcome(payment, BigInt(from))).rejects.toThrow(ChainUnavailableError);
    proxy.answer = (request) => request;
    expect(await ledger.outcome(payment, BigInt(from))).toMatchObject({ status: "settled" });
  });
});

describe("an authorization that paid somebody else", () => {
  it("is found once, not at every resend; another payment with its nonce is looked up", async () => {
    const payer = createPayer();
    const validBefore = (await chainTime()) + 100_000;
    const payment = await world.authorize({ payer, validBefore });
    const [offer = expect.fail()] = world.deployment.offers;
    const elsewhere = { validBefore, nonce: payment.nonce, to: createPayer().address };
    await world.chain.submit((await payer.sign(requirements(offer), elsewhere)).signed);
    expect(await checkPayment(payment, ledger)).toEqual({ ok: false, reason: "already_used" });
    expect(ranges()).not.toEqual([]);
    proxy.asked.length = 0;
    expect(await checkPayment(payment, ledger)).toEqual({ ok: false, reason: "already_used" });
    expect(proxy.asked).toEqual([]);
    expect(ledger.isSpent({ ...payment, amount: payment.amount + 1n })).toBe(false);
  });
});

describe("payments F14: several nodes of one chain", () => {
  it("stand in for each other", async () => {
    const payment = await world.authorize({ validBefore: (await chainTime()) + 100_000 });
    expect(await ledgerOf(dead, [proxy.url]).state(payment)).toMatchObject({
      used: false,
      balance: 100_000n,
    });
    proxy.answer = () => "no credits left";
    const [both, none] = [ledgerOf(proxy.url, [world.chain.anvil.rpcUrl]), ledgerOf(dead, [dead])];
    expect(await both.outcome(payment, 0n)).toEqual({ status: "unused" });
    await expect(none.state(payment)).rejects.toThrow(ChainUnavailableError);
  });
});
