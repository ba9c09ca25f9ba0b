import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { GET as agentCard } from "@/app/.well-known/agent-card.json/route";
import { GET as apiCatalog } from "@/app/.well-known/api-catalog/route";
import { GET as mcpServerCard } from "@/app/.well-known/mcp/server-card.json/route";
import { GET as installation } from "@/app/.well-known/parley/route";
import { GET as x402 } from "@/app/.well-known/x402/route";
import { GET as llms } from "@/app/llms.txt/route";
import { contract } from "@/lib/contract";
import { deploymentSchema, publicDeployment } from "@/lib/proofs/deployment";
import { createHarness, type Harness } from "@/lib/testing/harness";

/** A program that knows the address of this community, and nothing else. */
let h: Harness;
let base: string;
let prover: string;
beforeAll(async () => {
  h = await createHarness();
  ({ appUrl: base, proverUrl: prover } = h.services.deployment.services);
});
afterAll(async () => await h.close());

const request = () => new Request(base);
const params = { params: Promise.resolve({}) };
const documentOf = async (response: Response) => {
  expect(response.status).toBe(200);
  expect(response.headers.get("cache-control")).toBe("public, max-age=300");
  return { type: response.headers.get("content-type"), text: await response.text() };
};

/** Fetches addresses of this community that a document names; others are the prover's. */
async function follow(addresses: readonly string[]): Promise<void> {
  for (const address of addresses) {
    // lib/http/mcp.api.test.ts sends messages to the endpoint for models, which has no document.
    if (!address.startsWith(`${base}/api`) || address === `${base}/api/mcp`) continue;
    expect((await h.send("GET", address.slice(base.length))).status, address).toBe(200);
  }
}

describe("the entrance", () => {
  it("GET /api names the documents, the guides and the prover, each of which is there", async () => {
    const found = contract.service.entrance.responses[200].parse((await h.send("GET", "/api")).body);
    expect(found.guides[0]).toMatchObject({ type: "sign_in", title: "Sign in" });
    expect(found.prover).toEqual({
      url: prover,
      openapi: `${prover}/openapi.json`,
      x402: `${prover}/.well-known/x402`,
    });
    await follow([found.openapi, ...found.guides.map(({ url }) => url)]);
    expect(found.llms).toBe(`${base}/llms.txt`);
    expect(found.mcp).toBe(`${base}/api/mcp`);
  });

  it("/llms.txt says in Markdown how to sign in, and where everything is", async () => {
    const { type, text } = await documentOf(await h.run(() => llms(request(), params)));
    expect(type).toBe("text/markdown; charset=utf-8");
    expect(text).toMatch(/^# Parley\n\n> /);
    const calls = ["/api/auth/challenge", "/api/v1/prove", "/api/auth/verify/ai", "/api/profile/nickname"];
    for (const call of calls) expect(text, call).toContain(call);
    const links = [...text.matchAll(/\]\((http[^)]+)\)/g)].map(([, link = ""]) => link);
    expect(links.length).toBeGreaterThan(8);
    await follow(links);
  });

  it("/.well-known/api-catalog is a linkset of both APIs (RFC 9727)", async () => {
    const { type, text } = await documentOf(await h.run(() => apiCatalog(request(), params)));
    expect(type).toBe("application/linkset+json");
    const target = z.array(z.object({ href: z.url(), type: z.string() }));
    const context = z.looseObject({ anchor: z.url(), "service-desc": target, status: target });
    const { linkset } = z.object({ linkset: z.array(context) }).parse(JSON.parse(text));
    expect(linkset.map(({ anchor }) => anchor)).toEqual([
      `${base}/api`,
      `${base}/api/mcp`,
      `${prover}/api/v1`,
    ]);
    await follow(
      linkset.flatMap((entry) => [...entry["service-desc"], ...entry.status].map(({ href }) => href)),
    );
    expect(text).toContain(`"${base}/.well-known/parley"`);
  });

  it("/.well-known/parley describes the installation", async () => {
    const { type, text } = await documentOf(await h.run(() => installation(request(), params)));
    expect(type).toBe("application/json");
    const published = deploymentSchema.parse(JSON.parse(text));
    expect(published).toEqual(publicDeployment(h.services.deployment));
    expect(published.services).toEqual({ appUrl: base, proverUrl: prover, facilitatorUrl: null });
  });

  it("/.well-known/mcp/server-card.json names the MCP server (SEP-2127)", async () => {
    const { type, text } = await documentOf(await h.run(() => mcpServerCard(request(), params)));
    expect(type).toBe("application/json");
    const card = z.object({
      $schema: z.literal("https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json"),
      name: z.string().regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
      version: z.string().min(1),
      description: z.string().min(1).max(100),
      remotes: z.tuple([z.object({ type: z.literal("streamable-http"), url: z.literal(`${base}/api/mcp`) })]),
    });
    expect(card.safeParse(JSON.parse(text)).error).toBeUndefined();
  });

  it("/.well-known/agent-card.json names the API as the interface, not a message endpoint that is not there", async () => {
    const { text } = await documentOf(await h.run(() => agentCard(request(), params)));
    const skill = z.object({
      id: z.string(),
      name: z.string(),
      description: z.string(),
      tags: z.array(z.string()).min(1),
    });
    const card = z
      .object({
        name: z.literal("Parley"),
        supportedInterfaces: z.array(
          z.object({ url: z.url(), protocolBinding: z.url(), protocolVersion: z.string() }),
        ),
        capabilities: z.object({}),
        skills: z.array(skill).min(1),
      })
      .parse(JSON.parse(text));
    await follow(card.supportedInterfaces.map(({ url }) => url));
  });

  it("/.well-known/x402 leads to the prover, which sells", async () => {
    const response = await h.run(() => x402());
    expect(response.status).toBe(307);
    expect(response.headers.get("location")).toBe(`${prover}/.well-known/x402`);
  });

  it("404 of the API says where to begin", async () => {
    expect(await h.send("GET", "/api/nothing")).toMatchObject({
      status: 404,
      body: { code: "not_found", error: expect.stringContaining("GET /api ") },
    });
  });
});
