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
        "/api/v1/purchases",
        "/api/v1/promises",
        "/api/v1/guide/{circuit}",
        "/.well-known/x402",
        "/openapi.json",
        "/health",
        "/health/live",
        "/health/ready",
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
      const request = schemaOf(openapi, post?.requestBody?.content);
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
      expect([...document.matchAll(/"circuit":\{"type":"string","const":"(\w+)"/g)].length).toBe(4);
    });

    it("responses match the OpenAPI document", async () => {
      const openapi = openapiSchema.parse(await (await get("/openapi.json")).json());
      const asked = [
        ["get", "/openapi.json", "/openapi.json", 200],
        ["get", "/.well-known/x402", "/.well-known/x402", 200],
        ["get", "/health", "/health", 200],
        ["get", "/health/live", "/health/live", 200],
        ["get", "/health/ready", "/health/ready", 200],
        ["get", "/api/v1/purchases", "/api/v1/purchases", 402],
        ["get", "/api/v1/promises", "/api/v1/promises", 200],
        ["get", "/api/v1/guide/{circuit}", guidePath, 200],
        ["get", "/api/v1/guide/{circuit}", "/api/v1/guide/nothing", 404],
        ["get", "/api/v1/jobs/{token}", "/api/v1/jobs/nothing", 404],
        ["get", "/api/v1/jobs/{token}/events", "/api/v1/jobs/nothing/events", 404],
        ["post", "/api/v1/prove", "/api/v1/prove", 402],
      ] as const;
      for (const [method, path, address, status] of asked) {
        const body = method === "post" ? JSON.stringify({ circuit }) : undefined;
        const answer = await get(address, { method, body, headers: { "content-type": "application/json" } });
        expect([path, answer.status]).toEqual([path, status]);
        const described = openapi.paths[path]?.[method]?.responses[status];
        expect(schemaOf(openapi, described?.content).safeParse(await answer.json()).error).toBeUndefined();
        // A 402 has PAYMENT-RESPONSE only if a settlement was tried.
        const always = Object.keys(described?.headers ?? {}).filter((name) => name !== "PAYMENT-RESPONSE");
        for (const name of always) expect(answer.headers.has(name)).toBe(true);
      }
    });

    it("the guide lists every endpoint of the OpenAPI document", async () => {
      const { paths } = openapiSchema.parse(await (await get("/openapi.json")).json());
      const guide = z
        .object({ endpoints: z.record(z.string(), z.string()) })
        .parse(await (await get(guidePath)).json());
      const { proverUrl } = stack().deployment.services;
      const described = Object.entries(paths).flatMap(([path, item]) =>
        Object.keys(item).map(
          (method) => `${method.toUpperCase()} ${proverUrl}${path.replace("{circuit}", circuit)}`,
        ),
      );
      const { for_people: _, ...endpoints } = guide.endpoints;
      expect(Object.values(endpoints).toSorted()).toEqual(described.toSorted());
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
      // A facilitator that is away is no reason to take a process out of service.
      const ready = await fetch(`${client.url}/health/ready`);
      stack().proxy.mode = "pass";
      expect([down.status, await down.json()]).toMatchObject([503, { checks: { facilitator: false } }]);
      expect([ready.status, await ready.json()]).toEqual([200, { status: "ok" }]);
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

    it("payments F21: every path answers 405 to other methods, and lists its own in Allow", async () => {
      const { paths } = openapiSchema.parse(await (await get("/openapi.json")).json());
      const had = Object.entries(paths).map(([path, item]) => [path, Object.keys(item)] as const);
      const pages = ["/", "/assets/page.css", "/assets/job.js", "/assets/seal.svg"].map(
        (path) => [path, ["get"]] as const,
      );
      for (const [path, methods] of [...had, ...pages]) {
        const address = path.replace("{token}", "abc").replace("{circuit}", circuit);
        for (const { responses } of Object.values(paths[path] ?? {})) {
          expect(responses[405]?.headers).toHaveProperty("Allow");
        }
        const allowed = [...methods, ...(methods.includes("get") ? ["head"] : []), "options"];
        for (const method of ["get", "head", "post", "put", "patch", "delete"]) {
          const answer = await get(address, { method: method.toUpperCase() });
          const isRefused = answer.status === 405;
          expect([path, method, isRefused]).toEqual([path, method, !allowed.includes(method)]);
          if (!isRefused) continue;
          expect(answer.headers.get("allow")).toBe(allowed.join(", ").toUpperCase());
          if (method !== "head") expect(await answer.json()).toMatchObject({ error: "METHOD_NOT_ALLOWED" });
        }
      }
      expect((await get("/nothing", { method: "PUT" })).status).toBe(404);
    });

    it("forbids browsers to guess content types", async () => {
      for (const path of ["/api/v1/jobs/x", "/api/v1/jobs/x/events", "/health", "/nothing"]) {
        expect((await get(path)).headers.get("x-content-type-options")).toBe("nosniff");
      }
    });
  });
}

/** Content of a request or response with a JSON body. */
const contentSchema = z.object({
  "application/json": z.object({ schema: z.record(z.string(), z.unknown()) }).optional(),
});
const openapiSchema = z.object({
  openapi: z.literal("3.1.0"),
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        parameters: z.array(z.object({ name: z.string() })).default([]),
        requestBody: z.object({ content: contentSchema }).optional(),
        responses: z.record(
          z.string(),
          z.object({
            headers: z.record(z.string(), z.unknown()).default({}),
            content: contentSchema.optional(),
          }),
        ),
      }),
    ),
  ),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
});

/** Converts the described schema of a JSON body back to zod. */
function schemaOf(
  { components }: z.infer<typeof openapiSchema>,
  content: z.infer<typeof contentSchema> | undefined,
): z.ZodType {
  const schema = content?.["application/json"]?.schema;
  if (!schema) throw new Error("The document describes no JSON body.");
  const inOnePlace = JSON.stringify({ ...schema, $defs: components.schemas }).replaceAll(
    "#/components/schemas/",
    "#/$defs/",
  );
  return z.fromJSONSchema(JSON.parse(inOnePlace));
}
