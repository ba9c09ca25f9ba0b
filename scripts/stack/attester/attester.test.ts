import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { attestAccountCall, revokeCall } from "@/contracts/attestation";
import { findAttestation } from "@/lib/proofs/attestation/find";
import { attestedCircuits, attestersOf } from "@/lib/proofs/trust/attesters";
import { startAttesterWorld } from "./test/world";

let world: Awaited<ReturnType<typeof startAttesterWorld>>;
beforeAll(async () => {
  world = await startAttesterWorld();
}, 60_000);
afterAll(() => world?.close());

/** Returns a wallet without attestations. */
let address = privateKeyToAddress(generatePrivateKey());
beforeEach(() => {
  address = privateKeyToAddress(generatePrivateKey());
});

const wish = (circuit: string) => ({
  circuit,
  address,
  ...(circuit.includes("country") ? { country: "KR" } : {}),
});
/** Looks it up with production code. */
const find = (circuit: (typeof attestedCircuits)[number]) =>
  findAttestation({ deployment: world.deployment, circuit, recipient: address });

describe("attesting", () => {
  it.each(attestedCircuits)("for %s is found by production code until it is revoked", async (circuit) => {
    await expect(find(circuit)).rejects.toMatchObject({ code: "ATTESTATION_NOT_FOUND" });
    const hash = await world.attest(wish(circuit));
    expect(await find(circuit)).toMatchObject({
      transactionHash: hash,
      country: circuit === "partner_country_attestation" ? "KR" : null,
    });
    await world.revoke({ circuit, address });
    await expect(find(circuit)).rejects.toMatchObject({ code: "ATTESTATION_REVOKED" });
    // And again after that.
    const again = await world.attest(wish(circuit));
    expect(again).not.toBe(hash);
    expect((await find(circuit)).transactionHash).toBe(again);
  });

  it("twice has one result", async () => {
    const hash = await world.attest(wish("network_eligibility"));
    expect(await world.attest(wish("network_eligibility"))).toBe(hash);
    // Concurrently too.
    address = privateKeyToAddress(generatePrivateKey());
    const hashes = await Promise.all([1, 2, 3].map(() => world.attest(wish("regional_attestation"))));
    expect(new Set(hashes).size).toBe(1);
  });

  it("of several wallets at once, by one signer, attests each of them", async () => {
    const circuit = "regional_attestation";
    const wallets = Array.from({ length: 5 }, () => privateKeyToAddress(generatePrivateKey()));
    const hashes = await Promise.all(wallets.map((each) => world.attest({ circuit, address: each })));
    expect(new Set(hashes).size).toBe(wallets.length);
    for (const [i, each] of wallets.entries()) {
      address = each;
      expect((await find(circuit)).transactionHash).toBe(hashes[i]);
    }
  });

  it("another country replaces and revokes the previous one", async () => {
    const first = await world.attest(wish("partner_country_attestation"));
    const second = await world.attest({ ...wish("partner_country_attestation"), country: "fr" });
    expect(second).not.toBe(first);
    expect(await find("partner_country_attestation")).toMatchObject({
      country: "FR",
      transactionHash: second,
    });
    const revoked = (await world.base.events("Revoked")).filter((e) => e.args.recipient === address);
    expect(revoked).toHaveLength(1);
  });

  it("attests again when the newest is revoked and an older one is in force", async () => {
    const older = await world.attest(wish("network_eligibility"));
    const { site, send, events } = world.base;
    await send(20, attestAccountCall(address));
    const newest = (await events()).at(-1)?.args.uid;
    await send(20, revokeCall(site.accountSchema, newest ?? "0x"));
    const hash = await world.attest(wish("network_eligibility"));
    expect(hash).not.toBe(older);
    expect((await find("network_eligibility")).transactionHash).toBe(hash);
  });

  it("uses every signer of the chain and no other", async () => {
    const used = new Set<string>();
    const { signers } = attestersOf("development").network_eligibility;
    for (let i = 0; i < 40 && used.size < signers.length; i++) {
      address = privateKeyToAddress(generatePrivateKey());
      const hash = await world.attest(wish("network_eligibility"));
      used.add((await world.base.client.getTransaction({ hash })).from.toLowerCase());
    }
    expect([...used].sort()).toEqual(signers.map((s) => s.toLowerCase()).sort());
  });
});

describe("requests", () => {
  const zero = `0x${"0".repeat(40)}`;
  it.each([
    ["/attest", { circuit: "oidc_domain_attestation", address: zero }, "circuit", "must be one of"],
    ["/attest", { address: zero }, "circuit", "must be one of"],
    ["/attest", { circuit: "network_eligibility" }, "address", "address is missing"],
    ["/attest", { circuit: "network_eligibility", address: "0x12" }, "address", "40 hexadecimal digits"],
    ["/attest", { circuit: "network_eligibility", address: zero }, "address", "zero address"],
    [
      "/attest",
      { circuit: "network_eligibility", address: "0x09DB0a93B389bEF724429898f539AEB7ac2Dd55F" },
      "address",
      "checksum",
    ],
    ["/attest", { circuit: "partner_country_attestation", address: 1 }, "address", "address is missing"],
    ["/revoke", { circuit: "country", address: zero }, "circuit", "must be one of"],
  ])("%s %j is refused for its %s", async (path, body, field, message) => {
    const response = await world.post(path, body);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error: expect.stringContaining(message), field });
  });

  it("only the country circuit takes a country", async () => {
    for (const country of [undefined, "", "FRA", "F", "12", 5]) {
      const response = await world.post("/attest", {
        circuit: "partner_country_attestation",
        address,
        country,
      });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ field: "country" });
    }
    const response = await world.post("/attest", { circuit: "network_eligibility", address, country: "FR" });
    expect(await response.json()).toMatchObject({ field: "country", error: expect.stringContaining("only") });
    expect(await world.base.events().then((all) => all.some((e) => e.args.recipient === address))).toBe(
      false,
    );
  });

  it("invalid JSON is refused, and so is revoking nothing", async () => {
    expect((await world.post("/attest", "{")).status).toBe(400);
    expect((await world.post("/revoke", { circuit: "network_eligibility", address })).status).toBe(404);
  });

  it.each(["/attest", "/graphql"])("%s accepts requests from any page", async (path) => {
    const headers = { origin: "http://localhost:3000", "access-control-request-method": "POST" };
    const preflight = await fetch(`${world.url}${path}`, {
      method: "OPTIONS",
      headers: { ...headers, "access-control-request-headers": "content-type" },
    });
    expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
    expect(preflight.headers.get("access-control-allow-headers")).toContain("content-type");
  });
});

describe("the page", () => {
  const load = async (query = "") => {
    const response = await fetch(`${world.url}/${query}`);
    return { status: response.status, headers: response.headers, html: await response.text() };
  };
  const submit = (path: string, fields: Record<string, string>) =>
    fetch(`${world.url}${path}`, { method: "POST", body: new URLSearchParams(fields), redirect: "follow" });

  it("offers the known wallets, runs no scripts and cannot be framed", async () => {
    const { html, headers } = await load();
    expect(html).toContain("The &#34;known&#34; wallet");
    expect(html).not.toContain("<script");
    expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  });

  it("attests, shows and revokes", async () => {
    expect((await load(`?address=${address}`)).html.match(/Not attested/g)).toHaveLength(3);
    const attested = await submit("/attest", {
      circuit: "partner_country_attestation",
      address,
      country: "de",
    });
    expect(attested.url).toContain("done=attested");
    const html = await attested.text();
    expect(html).toMatch(/role="status">Attested/);
    expect(html).toContain("DE, since");
    expect((await find("partner_country_attestation")).country).toBe("DE");

    const revoked = await submit("/revoke", { circuit: "partner_country_attestation", address });
    expect((await revoked.text()).match(/Not attested/g)).toHaveLength(3);
    await expect(find("partner_country_attestation")).rejects.toMatchObject({ code: "ATTESTATION_REVOKED" });
  });

  it("shows the problem, and escapes everything on the page", async () => {
    const page = await load(`?address=${encodeURIComponent('"><img src=x>')}`);
    expect(page.status).toBe(400);
    expect(page.html).toContain("Enter a valid address");
    expect(page.html).not.toContain("<img");
    const refused = await submit("/attest", {
      circuit: "partner_country_attestation",
      address,
      country: "1",
    });
    expect(refused.status).toBe(400);
    expect(await refused.text()).toMatch(/role="alert">A country is two letters/);
  });
});
