import { validateDiscoveryExtensionSpec } from "@x402/extensions/bazaar";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { decodeHeader, paymentRequiredSchema } from "@/lib/proofs/wire";
import { circuit } from "../testing/prover-client";
import type { Stack } from "../testing/stack";

const caip2 = /^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/;
const address = /^0x[0-9a-fA-F]{40}$/;

/**
 * The checks of sellers that x402-conformance-suite 0.5.1 and canagentuse.com's "x402" 1.0.0 publish, under their names. What
 * they do beyond them (fault injection: replay, lost answers, facilitators that lie) is in purchases, money and settlement.
 */
export function conformance(stack: () => Stack): void {
  const manifest = async () => {
    const response = await fetch(`${stack().prover.client.url}/.well-known/x402`);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json"]);
    return z
      .looseObject({ resources: z.array(z.url()), items: z.array(z.looseObject({ resource: z.url() })) })
      .parse(await response.json());
  };
  const unpaid = async () => {
    const { status, headers, challenge } = await stack().prover.client.post({ circuit });
    expect(status).toBe(402);
    const header = decodeHeader(paymentRequiredSchema, headers.get("payment-required")) ?? expect.fail();
    return { header, headers, body: challenge ?? expect.fail() };
  };

  describe("published checks of x402 sellers", () => {
    it("manifest_discovery: /.well-known/x402 is a JSON manifest", async () => {
      expect((await manifest()).resources.length).toBeGreaterThan(0);
    });

    it("caip2_compliance: networks are CAIP-2 names", async () => {
      const { header, body } = await unpaid();
      for (const { network } of [...header.accepts, ...body.accepts]) expect(network).toMatch(caip2);
    });

    it("json_resilience: the body of a 402 is a JSON object, also for a browser", async () => {
      const response = await fetch(`${stack().prover.client.url}/api/v1/prove`, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "text/html" },
        body: JSON.stringify({ circuit }),
      });
      expect([response.status, response.headers.get("content-type")]).toEqual([402, "application/json"]);
      z.looseObject({ x402Version: z.literal(2) }).parse(await response.json());
    });

    it("bazaar_compliance: the body of a 402 describes the call", async () => {
      const { body } = await unpaid();
      const declared = z.record(z.string(), z.unknown()).parse(body.extensions?.bazaar);
      expect(validateDiscoveryExtensionSpec(declared)).toMatchObject({ valid: true });
    });

    it("accepts_completeness: each entry is complete, in atomic units", async () => {
      const { header } = await unpaid();
      expect(header.accepts.length).toBeGreaterThan(0);
      for (const { scheme, amount, asset, payTo, maxTimeoutSeconds } of header.accepts) {
        expect(scheme).toBe("exact");
        expect(amount).toMatch(/^[1-9][0-9]*$/);
        expect([asset, payTo]).toEqual([expect.stringMatching(address), expect.stringMatching(address)]);
        expect(maxTimeoutSeconds).toBeGreaterThan(0);
      }
    });

    it("discovery_resource_listing: what is for sale is in the manifest", async () => {
      const { header } = await unpaid();
      const { resources, items } = await manifest();
      expect(resources).toContain(header.resource.url);
      expect(items.map(({ resource }) => resource)).toContain(header.resource.url);
    });

    it("bot_wall: a program without a browser's headers gets the service", async () => {
      const response = await fetch(`${stack().prover.client.url}/api/v1/prove`, {
        method: "POST",
        headers: { "content-type": "application/json", "user-agent": "", "accept-language": "" },
        body: JSON.stringify({ circuit }),
      });
      expect(response.status).toBe(402);
    });

    it("metadata-consistency: header, body, manifest and OpenAPI say the same", async () => {
      const { header, headers, body } = await unpaid();
      expect(body.accepts).toEqual(header.accepts);
      expect(headers.get("cache-control")).toBe("no-store");
      const listed = z
        .object({ items: z.array(z.looseObject({ accepts: z.unknown() })) })
        .parse(await (await fetch(`${stack().prover.client.url}/.well-known/x402`)).json());
      for (const { accepts } of listed.items) expect(accepts).toEqual(header.accepts);
      const openapi = await (await fetch(`${stack().prover.client.url}/openapi.json`)).json();
      expect(openapi).toHaveProperty(["paths", "/api/v1/prove", "post", "responses", "402"]);
    });
  });
}
