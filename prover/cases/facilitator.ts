import { generateKeyPairSync } from "node:crypto";
import { type CryptoKey, importSPKI, jwtVerify } from "jose";
import type { Address } from "viem";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { createPayer } from "../testing/payer";
import { price, type RunningProver, type Stack } from "../testing/stack";
import { twoFacedWallet } from "../testing/wallets";

const supportedSchema = z.looseObject({ signers: z.record(z.string(), z.array(z.string())) });

/** What settlements cost us, and that somebody watches it. */
export function gas(stack: () => Stack): void {
  describe("the gas of the facilitator", () => {
    let running: RunningProver;
    let account: Address;
    beforeAll(async () => {
      running = await stack().start(
        { reconcileMs: 700, metrics: { port: 0, host: "127.0.0.1" } },
        stack().replaying(),
      );
      const supported = await fetch(`${stack().proxy.url}/supported`);
      const { signers } = supportedSchema.parse(await supported.json());
      const [[signer = ""] = []] = Object.values(signers);
      account = `0x${signer.slice(2)}`;
    });
    const control = () => stack().main.control;

    it("payments F5: is spent once on a wallet that says yes to it and no to its token", async () => {
      const { main, inputs } = stack();
      const payer = createPayer();
      await main.mint(payer.address, price);
      const { header } = await payer.sign(await running.client.offer("eip155:8453"));
      await control().setCode({ address: payer.address, bytecode: twoFacedWallet });
      const sent = async () => await main.client.getTransactionCount({ address: account });
      const before = await sent();
      const reasons = [];
      for (let i = 0; i < 3; i += 1) reasons.push((await running.client.buy(inputs, header)).error?.reason);
      expect(reasons).toEqual(["settlement_unconfirmed", "refused_by_facilitator", "refused_by_facilitator"]);
      expect(await sent()).toBe(before + 1);
    });

    it("payments F10: is a metric beside our own account's, and below ten settlements /health says so", async () => {
      const metrics = async () => await (await fetch(running.server.metricsUrl ?? "")).text();
      const shown = await metrics();
      for (const [name, network] of [
        ["facilitator", 8453],
        ["settlement", 1],
      ]) {
        const labels = `{account="${name}",network="eip155:${network}"}`;
        expect(shown).toContain(`prover_gas_wei${labels} `);
        expect(shown).toMatch(new RegExp(`prover_gas_settlements\\${labels} [1-9]`));
      }
      const balance = await stack().main.client.getBalance({ address: account });
      try {
        await control().setBalance({ address: account, value: 1n });
        const health = await fetch(`${running.client.url}/health`);
        expect([health.status, await health.json()]).toMatchObject([503, { checks: { facilitator: false } }]);
        expect(await metrics()).toContain(
          'prover_gas_settlements{account="facilitator",network="eip155:8453"} 0',
        );
      } finally {
        await control().setBalance({ address: account, value: balance });
      }
    });
  });
}

/** Keys in the forms in which Coinbase hands them out, and what checks their signatures. */
function keyOf(kind: "Ed25519" | "EC"): { secret: string; alg: string; spki: string } {
  if (kind === "EC") {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const secret = privateKey.export({ type: "sec1", format: "pem" }).toString();
    return { secret, alg: "ES256", spki: publicKey.export({ type: "spki", format: "pem" }).toString() };
  }
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const { d = "", x = "" } = privateKey.export({ format: "jwk" });
  const secret = Buffer.concat([d, x].map((part) => Buffer.from(part, "base64url"))).toString("base64");
  return { secret, alg: "EdDSA", spki: publicKey.export({ type: "spki", format: "pem" }).toString() };
}

/** A facilitator that lets nobody in without a token made for the request. */
export function facilitatorAuthentication(stack: () => Stack): void {
  describe("a facilitator that asks who is there", () => {
    afterEach(() => {
      stack().proxy.admits = undefined;
    });

    /** The token's claims fit the request, and nobody showed it before. */
    function guard(key: CryptoKey, alg: string, asked: string[]) {
      const seen = new Set<string>();
      const { host } = new URL(stack().proxy.url);
      stack().proxy.admits = async ({ method, path, authorization = "" }) => {
        const token = authorization.replace("Bearer ", "");
        if (seen.has(token)) return false;
        seen.add(token);
        const { payload, protectedHeader } = await jwtVerify(token, key, {
          ...{ algorithms: [alg], issuer: "cdp", subject: "key-1", maxTokenAge: 120 },
        });
        asked.push(path);
        expect([protectedHeader.kid, payload.uris]).toEqual(["key-1", [`${method} ${host}${path}`]]);
        return true;
      };
    }

    it.each(["Ed25519", "EC"] as const)(
      "payments F13: is told so with a token for each request (%s)",
      async (kind) => {
        const { secret, alg, spki } = keyOf(kind);
        const asked: string[] = [];
        guard(await importSPKI(spki, alg), alg, asked);
        const { client } = await stack().start(
          { facilitatorKey: { id: "key-1", secret }, reconcileMs: 500 },
          stack().replaying(),
        );
        const { header, left } = await stack().pay(client);
        const answer = await client.buy(stack().inputs, header);
        expect([answer.status, answer.error?.reason]).toEqual([200, undefined]);
        expect(asked).toEqual(["/supported", "/verify", "/settle"]);
        expect(await left()).toBe(0n);
        expect((await fetch(`${client.url}/health`)).status).toBe(200);
        expect(stack().logs.join("")).not.toContain(secret.slice(40, 60));
      },
    );

    it("payments F13: and is not paid through while it lets us not in: nothing is charged or kept", async () => {
      stack().proxy.admits = async () => false;
      const { client, server } = await stack().start({}, stack().replaying());
      const { header, left } = await stack().pay(client);
      const { status, error } = await client.buy(stack().inputs, header);
      expect([status, error?.reason]).toEqual([503, "settlement_unavailable"]);
      expect(await server.store.payments.open()).toEqual([]);
      expect(await left()).toBe(price);
    });
  });
}
