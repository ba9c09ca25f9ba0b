import { afterAll, beforeAll, expect, it } from "vitest";
import type { PaymentOffer } from "@/lib/proofs/deployment";
import { Chains } from "./chains";
import { tokenProblems } from "./offer-problems";
import { type OwnKeyWorld, startOwnKeyWorld } from "./testing/own-key";

let world: OwnKeyWorld;
beforeAll(async () => {
  world = await startOwnKeyWorld();
});
afterAll(async () => {
  await world.stop();
});

const somebody = "0x00000000000000000000000000000000000000AA";

it.each<[string, Partial<PaymentOffer>, string[]]>([
  ["the token's own name and version", {}, []],
  ["another name", { eip712: { name: "USDC", version: "2" } }, ["another EIP-712 name or version"]],
  ["another version", { eip712: { name: "USD Coin", version: "1" } }, ["another EIP-712 name or version"]],
  ["no token at all", { asset: somebody }, ["is no token"]],
])("payments F12: asks the token about an offer with %s", async (_, changes, expected) => {
  const offers = world.deployment.offers.map((offer) => ({ ...offer, ...changes }));
  const { problems, silent } = await tokenProblems(offers, new Chains(world.deployment));
  expect([problems, silent]).toEqual([expected.map((part) => expect.stringContaining(part)), []]);
});

it("payments F12: does not blame a token for a chain that does not answer", async () => {
  const chains = world.deployment.chains.map((chain) => ({ ...chain, rpcUrl: "http://127.0.0.1:9" }));
  const answer = await tokenProblems(world.deployment.offers, new Chains({ ...world.deployment, chains }));
  expect(answer).toEqual({ problems: [], silent: [1] });
});
