import { beforeAll, expect, it, vi } from "vitest";
import { FakeProver, offer } from "@/lib/proofs/testing/prover";
import { purchase, resultFor } from "@/lib/proofs/testing/purchase";
import type { PublicOffer } from "../config";
import { ownOffers, proverConfig } from "./own-prover";

const ours: PublicOffer = {
  ...offer,
  ...{ chainId: 8453, symbol: "USDC", eip712: offer.extra, payTo: `0x${"99".repeat(20)}`, amount: "100000" },
};
let prover: FakeProver;
beforeAll(async () => {
  const { facts } = await purchase();
  prover = new FakeProver(resultFor(facts));
  vi.stubGlobal("fetch", prover.fetch);
});

const ask = (offers: readonly PublicOffer[]) =>
  ownOffers(prover.proverUrl, "oidc_domain_attestation", { offers });

it("an own prover names price and payee; token, chain and domain are the installation's", async () => {
  const [first] = await ask([ours]);
  expect(first).toEqual({ ...ours, amount: offer.amount, payTo: offer.payTo, settlement: offer.settlement });
});

it.each([
  ["token", { asset: `0x${"77".repeat(20)}` } as const],
  ["chain", { network: "eip155:1" } as const],
  ["signing domain", { eip712: { name: "Other", version: "2" } }],
])("an offer in another %s is none", async (_, change) => {
  expect(await ask([{ ...ours, ...change }])).toEqual([]);
});

it("takes the place of the installation's prover in its run, and in no other", () => {
  const config = { proverUrl: "https://server.example", offers: [ours] };
  const own = { prover: { kind: "own", origin: "https://own.example" }, offers: null } as const;
  expect(proverConfig(config, own)).toEqual({ proverUrl: "https://own.example", offers: [] });
  expect(proverConfig(config, { prover: { kind: "server" }, offers: null })).toEqual(config);
});
