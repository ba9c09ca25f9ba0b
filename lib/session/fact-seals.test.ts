import { describe, expect, it } from "vitest";
import { createFactSeals } from "./fact-seals";

const secret = new TextEncoder().encode("a secret of an installation, long enough");
const seals = createFactSeals(secret);
const circuit = "oidc_domain_attestation";
const ada = { userId: "u_ada", circuit };
const facts = { domain: "acme.example", countries: null, countriesIncluded: null };

describe("security F14: what somebody proved, sealed", () => {
  it("opens for the same user and circuit, with the same secret, and otherwise not", async () => {
    const { sealed } = await seals.seal(ada, facts);
    const again = createFactSeals(new TextEncoder().encode("a secret of an installation, long enough"));
    expect(await again.open(ada, sealed)).toEqual(facts);
    expect(await seals.open({ ...ada, userId: "u_bob" }, sealed)).toBeNull();
    expect(await seals.open({ ...ada, circuit: "network_eligibility" }, sealed)).toBeNull();
    expect(await createFactSeals(new Uint8Array(32)).open(ada, sealed)).toBeNull();
    expect(await seals.open(ada, null)).toBeNull();
    // A character that is not one of the last: those may contain unused bits.
    const at = sealed.length - 40;
    const changed = sealed.slice(0, at) + (sealed[at] === "A" ? "B" : "A") + sealed.slice(at + 1);
    expect(await seals.open(ada, changed)).toBeNull();
    const countries = { domain: null, countries: ["KR", "JP"], countriesIncluded: false };
    const country = { userId: "u_ada", circuit: "partner_country_attestation" };
    expect(await seals.open(country, (await seals.seal(country, countries)).sealed)).toEqual(countries);
  });

  it("is another text every time and as long for every domain; tags show no two people of one domain", async () => {
    const one = await seals.seal(ada, facts);
    const two = await seals.seal(ada, facts);
    const long = await seals.seal(ada, { ...facts, domain: `${"a".repeat(60)}.example` });
    expect(one.sealed).not.toBe(two.sealed);
    expect(one.sealed).toHaveLength(long.sealed.length);
    expect([one.facts_tag, one.domain_tag]).toEqual([two.facts_tag, two.domain_tag]);
    expect(one.domain_tag).toBe(seals.domainTag("u_ada", "acme.example"));
    const bob = await seals.seal({ ...ada, userId: "u_bob" }, facts);
    const values = [one, long, bob].flatMap(({ facts_tag, domain_tag }) => [facts_tag, domain_tag]);
    expect(new Set(values).size).toBe(6);
    expect((await seals.seal(ada, { ...facts, domain: null })).domain_tag).toBeNull();
  });
});
