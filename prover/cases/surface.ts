import { Buffer } from "node:buffer";
import { zeroAddress } from "viem";
import { describe, expect, it } from "vitest";
import { VerifierFront } from "@/contracts/index";
import { oidcNullifier, scopeWord } from "@/lib/proofs/derivations";
import { byteWordMask, circuits } from "@/lib/proofs/registry";
import { circuit } from "../testing/prover-client";
import { price, type Stack, scope } from "../testing/stack";

const guidePath = "/api/v1/guide/oidc_domain_attestation";

/** The rest of the HTTP surface, and what it must never let out. */
export function surface(stack: () => Stack): void {
  const get = async (path: string, init?: RequestInit) =>
    await fetch(`${stack().prover.client.url}${path}`, init);

  describe("documents", () => {
    it("the guide has what a client in another language needs", async () => {
      const { deployment } = stack();
      const guide: unknown = await (await get(guidePath)).json();
      expect(guide).toMatchObject({
        circuit_id: "oidc_domain_attestation",
        input_schema: { client_fields: ["jwt", "jwks", "scope", "provider"] },
        constants: {
          verification: {
            chain_id: 8453,
            verifier_address: deployment.verifiers.oidc_domain_attestation?.address,
            rpc: deployment.chains[0]?.publicRpcUrl,
          },
          attestation: null,
          authorized_signers: [],
          merkle_root: null,
          selector: null,
          issuers: [
            { provider: "provider_a", client_ids: { web: "web", device: "device" } },
            { provider: "provider_b", client_ids: { web: "web", device: "device" } },
          ],
          payment: { price_atomic: price.toString() },
          x402: { chains: [{ network: "eip155:8453" }, { network: "eip155:1" }] },
        },
        srs: "development",
        test_vectors: [
          { scope_string: scope, scope: scopeWord(scope) },
          { nullifier: oidcNullifier("alice@example.com", scopeWord(scope)) },
        ],
      });
      expect(guide).toMatchObject({
        public_inputs: expect.arrayContaining([
          { name: "nullifier", from: 115, count: 32, encoding: "byte" },
          { name: "audience", from: 214, count: 96, encoding: "ascii" },
        ]),
      });
    });

    it("the verifier contract bounds exactly the layout's byte words, those past the 256th too", async () => {
      const { deployment, main } = stack();
      const front = {
        address: deployment.verifiers[circuit]?.address ?? zeroAddress,
        abi: VerifierFront.abi,
      };
      const read = (functionName: "numPublicInputs" | "byteWords" | "byteWordsHigh") =>
        main.client.readContract({ ...front, functionName });
      expect(await read("numPublicInputs")).toBe(BigInt(circuits[circuit].publicWords));
      const mask = byteWordMask(circuit);
      expect(await read("byteWords")).toBe(mask % 2n ** 256n);
      expect(await read("byteWordsHigh")).toBe(mask >> 256n);
      expect(mask >> 256n).not.toBe(0n);
    });

    it("a circuit without a verifier has no guide", async () => {
      for (const id of ["network_eligibility", "nothing", "__proto__"]) {
        const response = await get(`/api/v1/guide/${id}`);
        expect([response.status, await response.json()]).toMatchObject([404, { error: "UNKNOWN_CIRCUIT" }]);
      }
    });

    it("OpenAPI names every path that answers, and discovery the paid one", async () => {
      const openapi: unknown = await (await get("/openapi.json")).json();
      expect(openapi).toMatchObject({
        openapi: "3.1.0",
        paths: {
          "/api/v1/prove": { post: { responses: { 402: {}, 503: {} } } },
          "/api/v1/jobs/{token}/events": {},
        },
      });
      expect(await (await get("/.well-known/x402")).json()).toMatchObject({
        x402Version: 2,
        resources: [{ method: "POST", body: { circuit: "oidc_domain_attestation" } }],
      });
    });

    it("health says what is up, and 503 what is not", async () => {
      const up = await get("/health");
      expect([up.status, await up.json()]).toMatchObject([
        200,
        {
          status: "ok",
          checks: { barretenberg: true, database: true, facilitator: true, settlementAccount: true },
        },
      ]);
      stack().proxy.mode = "down";
      const down = await get("/health");
      stack().proxy.mode = "pass";
      expect([down.status, await down.json()]).toMatchObject([503, { checks: { facilitator: false } }]);
    });
  });

  describe("HTTP manners", () => {
    it("lets browsers send and read the payment headers", async () => {
      const preflight = await get("/api/v1/prove", {
        method: "OPTIONS",
        headers: { origin: "https://app.example", "access-control-request-method": "POST" },
      });
      const allowed = preflight.headers.get("access-control-allow-headers") ?? "";
      for (const name of [
        "PAYMENT-SIGNATURE",
        "X-Payment-Nonce",
        "X-Payment-TX",
        "X-Payment-Network",
        "Prefer",
      ]) {
        expect(allowed).toContain(name);
      }
      const exposed = (await get("/health", { headers: { origin: "https://app.example" } })).headers.get(
        "access-control-expose-headers",
      );
      for (const name of ["PAYMENT-REQUIRED", "PAYMENT-RESPONSE", "Retry-After", "Location"]) {
        expect(exposed).toContain(name);
      }
    });

    it("gives every answer a request id, and keeps a sensible one", async () => {
      expect((await get("/health")).headers.get("x-request-id")).toMatch(/^[\w-]{36}$/);
      const kept = await get("/nothing", { headers: { "x-request-id": "my-request-1" } });
      expect([kept.status, kept.headers.get("x-request-id")]).toEqual([404, "my-request-1"]);
      const odd = await get("/health", { headers: { "x-request-id": "a b" } });
      expect(odd.headers.get("x-request-id")).not.toBe("a b");
      expect((await get("/api/v1/prove")).status).toBe(405);
    });
  });

  describe("a canary", () => {
    it("token, email, signature and job token of a bought proof are in no log line; token and email in no stored byte", async () => {
      const { idp, payer, logs } = stack();
      const { client, server } = await stack().start();
      const email = "canary-7f3a@example.com";
      const jwt = await idp.token(email, { sub: "canary-subject", nonce: "n-1" });
      const wallet = await payer(price);
      const { header, signed } = await wallet.sign(await client.offer("eip155:8453"));
      const answer = await client.buy({ jwt, jwks: idp.jwks, scope }, header);
      expect(answer.status).toBe(200);
      await client.job(answer.result?.jobToken ?? "");
      // Refusals handle the same secrets.
      await client.buy({ jwt: `${jwt}x`, scope }, header);
      await client.buy(
        { jwt, scope, provider: "provider_b" },
        (await wallet.sign(await client.offer("eip155:1"))).header,
      );

      const [head = "", payload = "", signature = ""] = jwt.split(".");
      const secrets = [
        email,
        "canary-7f3a",
        "canary-subject",
        payload.slice(10, 60),
        signature.slice(0, 40),
        head,
      ];
      const log = logs.join("");
      expect(log).toContain("/api/v1/jobs/:token");
      const loggedSecrets = [...secrets, signed.signature, header, answer.result?.jobToken ?? "none"];
      expect(loggedSecrets.filter((secret) => log.includes(secret))).toEqual([]);

      const { db } = server.store.payments;
      const tables = ["payment", "nonce", "credit"] as const;
      const rows = await Promise.all(
        tables.map(async (table) => await db.selectFrom(table).selectAll().execute()),
      );
      expect(rows[0]).toHaveLength(1);
      const stored = JSON.stringify(rows);
      const asHex = [email, "canary-7f3a"].map((text) => Buffer.from(text).toString("hex"));
      expect([...secrets, ...asHex].filter((secret) => stored.includes(secret))).toEqual([]);
    });
  });
}
