import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ProofType } from "@/lib/contract";
import { contract } from "@/lib/contract";
import { gateDecision } from "@/lib/policy/gate";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { addTo, gate, makeTopic, signIn, verified } from "../testing";
import { gateOf } from "./gate";

/** Which topics open with what one has proven. */
let h: Harness;
let owner: TestUser;
const titled = new Map<string, string>();

const acme = { domain: "acme.example" };
const gates = [
  ["open", "none", {}],
  ["kyc", "kyc", {}],
  ["acme", "workspace", acme],
  ["acme by a", "workspace_a", acme],
  ["acme by b", "workspace_b", acme],
  ["other", "workspace", { domain: "other.example" }],
  ["sub", "workspace", { domain: "mail.acme.example" }],
  ["KR or JP", "country", { countries: ["KR", "JP"] }],
  ["KR", "country", { countries: ["KR"] }],
  ["not KP", "country", { excluded: ["KP"] }],
  ["neither KP nor IR", "country", { excluded: ["KP", "IR"] }],
  ["not KR", "country", { excluded: ["KR"] }],
] as const satisfies readonly (readonly [string, ProofType, Parameters<typeof gate>[3]])[];

const country = { circuit: "partner_country_attestation" } as const;
const proofs = [
  ["a domain by a", { ...acme, provider: "provider_a" }],
  ["a domain by b, spelled otherwise", { domain: "ACME.example", provider: "provider_b" }],
  ["a domain by nobody known", acme],
  ["KYC", { circuit: "network_eligibility" }],
  ["another network", { circuit: "regional_attestation" }],
  ["in KR", { ...country, countries: ["KR"] }],
  ["in KR or JP", { ...country, countries: ["KR", "JP"] }],
  ["in US", { ...country, countries: ["US"] }],
  ["in no country", { ...country, countries: [] }],
  ["not in KP", { ...country, countries: ["KP"], countriesIncluded: false }],
  ["neither in KP nor in IR", { ...country, countries: ["IR", "KP"], countriesIncluded: false }],
] as const satisfies readonly (readonly [string, Parameters<typeof verified>[2]])[];

beforeAll(async () => {
  h = await createHarness();
  owner = await signIn(h, "owner");
  for (const [title, type, details] of gates) {
    const { id } = await makeTopic(owner, "public", title);
    await gate(h.db, id, type, details);
    titled.set(title, id);
  }
  const secret = await makeTopic(owner, "secret", "secret");
  await gate(h.db, secret.id, "kyc");
});
afterAll(() => h.close());

const opened = async ({ api }: Pick<TestUser, "api">) =>
  (await api.call(contract.topics.list, { view: "opened" })).topics.map(({ title }) => title).sort();

describe("GET /api/topics?view=opened", () => {
  it.each(proofs)("with %s: what the policy lets join, and nothing else", async (_, facts) => {
    const user = await signIn(h);
    await verified(h, user, facts);
    const rows = await h.db.selectFrom("topics").selectAll().where("visibility", "<>", "secret").execute();
    const proven = {
      circuit: "circuit" in facts ? facts.circuit : "oidc_domain_attestation",
      provider: "provider" in facts ? facts.provider : null,
      domain: "domain" in facts ? facts.domain : null,
      countries: "countries" in facts ? [...facts.countries] : null,
      countriesIncluded: "countries" in facts ? !("countriesIncluded" in facts) : null,
    };
    const expected = rows.filter((row) => {
      const asked = gateOf(row);
      return asked !== null && gateDecision(asked, proven) === "allowed";
    });
    expect(await opened(user)).toEqual(expected.map(({ title }) => title).sort());
  });

  it("opens something with most of them", async () => {
    const sizes = new Map<string, number>();
    for (const [name, facts] of proofs) {
      const user = await signIn(h);
      await verified(h, user, facts);
      sizes.set(name, (await opened(user)).length);
    }
    expect(Object.fromEntries(sizes)).toMatchObject({
      "a domain by a": 2,
      "a domain by nobody known": 1,
      KYC: 1,
      "another network": 0,
      "in KR": 4,
      "in US": 3,
      "neither in KP nor in IR": 2,
    });
  });

  it("joins proofs, and leaves out what one has joined, what expired, and everything for a guest", async () => {
    const user = await signIn(h);
    await verified(h, user, { ...acme, provider: "provider_a" });
    await verified(h, user, { circuit: "network_eligibility" });
    expect(await opened(user)).toEqual(["acme", "acme by a", "kyc"]);
    await addTo(h.db, titled.get("kyc") ?? "", user);
    expect(await opened(user)).toEqual(["acme", "acme by a"]);
    const late = await signIn(h);
    await verified(h, late, { ...acme, expiresAt: new Date(Date.now() - 1) });
    expect(await opened(late)).toEqual([]);
    expect(await opened({ api: h.guest })).toEqual([]);
  });

  it("pages like the other lists", async () => {
    const user = await signIn(h);
    await verified(h, user, { ...acme, provider: "provider_b" });
    const first = await user.api.call(contract.topics.list, { view: "opened", limit: 1 });
    expect(first.topics).toHaveLength(1);
    const cursor = first.nextCursor ?? "";
    const second = await user.api.call(contract.topics.list, { view: "opened", limit: 1, cursor });
    expect([first, second].flatMap(({ topics }) => topics.map(({ title }) => title)).sort()).toEqual([
      "acme",
      "acme by b",
    ]);
    expect(second.nextCursor).toBeNull();
  });
});
