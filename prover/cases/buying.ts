import { x402Client } from "@x402/core/client";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { wrapFetchWithPayment } from "@x402/fetch";
import { concatHex } from "viem";
import { describe, expect, it } from "vitest";
import { decodePublicInputs } from "@/lib/proofs/registry";
import { verifyOnChain } from "@/lib/proofs/verify";
import { decodeHeader, paymentRequiredSchema, proveResultSchema } from "@/lib/proofs/wire";
import { circuit } from "../testing/prover-client";
import { price, type Stack, scope } from "../testing/stack";

/** The whole way: price, payment, proof. */
export function buying(stack: () => Stack): void {
  describe("asking the price", () => {
    it("answers 402 with the offers, a nonce and the same content in header and body", async () => {
      const { prover, main, second, payTo } = stack();
      const { status, headers, challenge } = await prover.client.post({ circuit });
      expect(status).toBe(402);
      const header = decodeHeader(paymentRequiredSchema, headers.get("payment-required"));
      expect(header?.accepts).toEqual(challenge?.accepts);
      expect(header?.nonce).toBe(challenge?.nonce);
      expect(challenge?.error).toBe("PAYMENT_REQUIRED");
      expect(challenge?.requiresPayment).toBe(true);
      expect(challenge?.teePublicKey).toBeNull();
      expect(challenge?.accepts.map((offer) => [offer.network, offer.settlement, offer.asset])).toEqual([
        ["eip155:8453", "facilitator", main.token],
        ["eip155:1", "payee", second.token],
      ]);
      expect(challenge?.accepts[0]).toMatchObject({
        scheme: "exact",
        amount: "100000",
        payTo,
        decimals: 6,
        maxTimeoutSeconds: 300,
        extra: { name: "USD Coin", version: "2" },
        eip712_domain: { name: "USD Coin", version: "2", chainId: 8453, verifyingContract: main.token },
      });
      // Standard clients compare `extra`: a nonce in it would make every echo differ.
      expect(challenge?.accepts[0]?.extra).toEqual({ name: "USD Coin", version: "2" });
    });

    it("gives every challenge its own nonce", async () => {
      const { client } = stack().prover;
      const nonces = await Promise.all([1, 2, 3].map(async () => (await client.challenge()).nonce));
      expect(new Set(nonces).size).toBe(3);
    });

    it("names the circuits when asked for another one", async () => {
      for (const wrong of ["nothing", "network_eligibility", 7, null]) {
        const { status, error } = await stack().prover.client.post({ circuit: wrong });
        expect([status, error?.error, error?.field]).toEqual([400, "INVALID_CIRCUIT", "circuit"]);
        expect(error?.message).toContain(circuit);
      }
    });
  });

  describe("buying a proof", () => {
    it("charges the price once and delivers a proof that the verifier contract accepts", async () => {
      const { prover, main, payer, idp, payTo, deployment } = stack();
      const { client } = prover;
      const wallet = await payer();
      const before = await main.balance(payTo);
      const jwt = await idp.token("alice@example.com");
      const inputs = { jwt, jwks: idp.jwks, scope, provider: "provider_a" };
      const { nonce, accepts } = await client.challenge();
      const { header } = await wallet.sign(accepts[0] ?? expect.fail());
      const answer = await client.buy(inputs, header, { "X-Payment-Nonce": nonce });

      expect([answer.status, answer.error?.reason]).toEqual([200, undefined]);
      const result = answer.result ?? expect.fail();
      expect(await main.balance(payTo)).toBe(before + price);
      expect(await main.balance(wallet.account.address)).toBe(0n);
      const receipt = await main.client.getTransactionReceipt({ hash: `0x${answer.transaction?.slice(2)}` });
      expect(receipt.status).toBe("success");

      expect(await verifyOnChain(deployment, result)).toBe("valid");
      expect(result.proofWithInputs).toBe(concatHex([...result.publicInputs, result.proof]));
      expect(result.verification).toMatchObject({
        chainId: 8453,
        verifierAddress: deployment.verifiers[circuit]?.address,
      });
      expect(result.attestation).toBeNull();
      const facts = decodePublicInputs(circuit, result.publicInputs);
      expect(facts).toMatchObject({ domain: "example.com", nonce: "challenge-1", provider: "provider_a" });
      const { paymentMs, witnessMs, proveMs, totalMs } = result.timing;
      expect(totalMs).toBeGreaterThanOrEqual(paymentMs + witnessMs + proveMs - 3);
    });

    it("sells to the unmodified x402 client", async () => {
      const { prover, main, payer, idp } = stack();
      const wallet = await payer();
      const x402 = new x402Client().register("eip155:8453", new ExactEvmScheme(wallet.account));
      const response = await wrapFetchWithPayment(fetch, x402)(`${prover.client.url}/api/v1/prove`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ circuit, inputs: { jwt: await idp.token("bob@example.com"), scope } }),
      });
      expect(response.status).toBe(200);
      proveResultSchema.parse(await response.json());
      expect(await main.balance(wallet.account.address)).toBe(0n);
    });

    it("settles with its own key where the offer says payee", async () => {
      const { prover, second, idp, payTo } = stack();
      const before = await second.balance(payTo);
      const { header } = await stack().pay(prover.client, { network: "eip155:1" });
      const answer = await prover.client.buy({ jwt: await idp.token("carol@example.com"), scope }, header);
      expect([answer.status, answer.error?.reason]).toEqual([200, undefined]);
      expect(await second.balance(payTo)).toBe(before + price);
    });
  });
}
