import { zeroAddress } from "viem";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { VerifierFront } from "@/contracts/index";
import { circuitIds } from "@/lib/proofs/deployment";
import { oidcNullifier, scopeWord } from "@/lib/proofs/derivations";
import { byteWordMask, circuits } from "@/lib/proofs/registry";
import { openapiDocument } from "../guide/openapi";
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
          payment: {
            price_atomic: price.toString(),
            headers: { transaction: "X-Payment-TX", network: "X-Payment-Network" },
            ways: {
              signature: { settlements: { facilitator: expect.any(String), payee: expect.any(String) } },
            },
          },
          x402: { chains: [{ network: "eip155:8453" }, { network: "eip155:1" }] },
        },
        encryption: { teePublicKey: null, required: false },
        limits: { body_bytes: 65_536, challenges_per_minute: 6_000 },
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

    it("OpenAPI describes every path and header, and takes exactly what the service takes", async () => {
      const openapi = openapiSchema.parse(await (await get("/openapi.json")).json());
      expect(Object.keys(openapi.paths)).toEqual([
        "/api/v1/prove",
        "/api/v1/jobs/{token}",
        "/api/v1/jobs/{token}/events",
        "/api/v1/guide/{circuit}",
        "/.well-known/x402",
        "/openapi.json",
        "/health",
      ]);
      const post = openapi.paths["/api/v1/prove"]?.post;
      expect(post?.parameters.map((parameter) => parameter.name)).toEqual([
        "PAYMENT-SIGNATURE",
        "X-Payment-TX",
        "X-Payment-Network",
        "X-Payment-Nonce",
        "Prefer",
      ]);
      expect(Object.keys(post?.responses ?? {})).toEqual([
        "200",
        "202",
        "400",
        "402",
        "405",
        "409",
        "413",
        "415",
        "429",
        "500",
        "503",
      ]);
      const schema = {
        ...post?.requestBody.content["application/json"].schema,
        $defs: openapi.components.schemas,
      };
      const inOnePlace = JSON.stringify(schema).replaceAll("#/components/schemas/", "#/$defs/");
      const request = z.fromJSONSchema(JSON.parse(inOnePlace));
      const { inputs } = stack();
      for (const good of [
        { circuit },
        { circuit, inputs },
        { circuit, inputs: { encrypted: "a.b.c.d.e" } },
      ]) {
        expect(request.safeParse(good).error).toBeUndefined();
      }
      for (const bad of [{}, { circuit: "other" }, { circuit, inputs: { ...inputs, jwt: 1 } }]) {
        expect(request.safeParse(bad).success).toBe(false);
      }
    });

    it("every circuit's inputs are in it, and every reference leads somewhere", () => {
      const document = JSON.stringify(openapiDocument(stack().deployment, circuitIds));
      const { components } = openapiSchema.parse(JSON.parse(document));
      const names = [...document.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map((match) => match[1]);
      expect(new Set(names)).toEqual(new Set(Object.keys(components.schemas)));
      expect([...document.matchAll(/"const":"(\w+)","inputs"|"circuit":\{"const":"(\w+)"\}/g)].length).toBe(
        4,
      );
    });

    it("discovery names what is for sale, with its offers, as indexers read it", async () => {
      const url = "http://127.0.0.1:3001/api/v1/prove";
      expect(await (await get("/.well-known/x402")).json()).toMatchObject({
        version: 1,
        x402Version: 2,
        resources: [url],
        items: [
          {
            resource: url,
            type: "http",
            accepts: (await stack().prover.client.challenge()).accepts,
            metadata: { method: "POST", body: { circuit } },
          },
        ],
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
      // Another one: the first remembers its answer for a moment.
      const { client } = await stack().start();
      const down = await fetch(`${client.url}/health`);
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
    });

    it("payments F21: says which methods a resource has, and has no type guessed", async () => {
      const unfit = [
        ["/api/v1/prove", "GET", "POST, OPTIONS"],
        ["/health", "POST", "GET, HEAD, OPTIONS"],
        ["/api/v1/jobs/x/events", "DELETE", "GET, HEAD, OPTIONS"],
        ["/api/v1/guide/oidc_domain_attestation", "PUT", "GET, HEAD, OPTIONS"],
      ] as const;
      for (const [path, method, allowed] of unfit) {
        const answer = await get(path, { method });
        expect([path, answer.status, answer.headers.get("allow")]).toEqual([path, 405, allowed]);
      }
      for (const path of ["/api/v1/jobs/x", "/api/v1/jobs/x/events", "/health", "/nothing"]) {
        expect((await get(path)).headers.get("x-content-type-options")).toBe("nosniff");
      }
    });
  });
}

const openapiSchema = z.object({
  openapi: z.literal("3.1.0"),
  paths: z.record(
    z.string(),
    z.object({
      post: z
        .object({
          parameters: z.array(z.object({ name: z.string() })),
          requestBody: z.object({
            content: z.object({
              "application/json": z.object({ schema: z.record(z.string(), z.unknown()) }),
            }),
          }),
          responses: z.record(z.string(), z.unknown()),
        })
        .optional(),
    }),
  ),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
});
