import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { gate, general, makeTopic, signIn } from "@/lib/community/testing";
import { contract } from "@/lib/contract";
import { sweepExpired } from "@/lib/runtime/housekeeping";
import { allVerifiers } from "@/lib/testing/deployment";
import { createHarness, type Harness } from "@/lib/testing/harness";
import { countryBody, fakeChain, nullifier, proofBody, testTrust } from "@/lib/testing/proofs";
import { verificationsOf } from "@/lib/testing/verifications";
import { sealOldFacts } from "./fact-seals";

const chain = fakeChain();
let h: Harness;
beforeAll(async () => {
  h = await createHarness({
    verify: chain.verify,
    trust: testTrust,
    deployment: { verifiers: allVerifiers },
  });
});
afterAll(() => h.close());

let people = 100;
const somebody = () => nullifier(people++);

async function challenge(token?: string) {
  const { body } = await h.send("POST", "/api/auth/challenge", { token, body: {} });
  return { id: String(Object(body).challengeId), nonce: String(Object(body).nonce) };
}

/** A user who signed in with a proof of this domain and chose a nickname. */
async function signInFrom(domain: string, nickname: string) {
  const { id: challengeId, nonce } = await challenge();
  const body = proofBody({ nonce, nullifier: somebody(), domain });
  const answer = await h.send("POST", "/api/auth/verify/ai", { body: { challengeId, result: body } });
  expect(answer.status).toBe(200);
  const { token } = Object(answer.body);
  await h.send("PUT", "/api/profile/nickname", { token, body: { nickname } });
  // A nickname comes with a new session.
  return await h.login(nickname);
}

/** Every row of every table, as text. */
async function dump(): Promise<{ table: string; row: string }[]> {
  const { rows: tables } = await sql<{
    name: string;
  }>`select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`.execute(h.db);
  const rows: { table: string; row: string }[] = [];
  for (const { name } of tables) {
    const found = await sql<{
      row: string;
    }>`select row_to_json(t)::text as row from ${sql.table(name)} t`.execute(h.db);
    rows.push(...found.rows.map(({ row }) => ({ table: name, row })));
  }
  return rows;
}
const tablesWith = async (text: string) => [
  ...new Set((await dump()).filter(({ row }) => row.includes(text)).map(({ table }) => table)),
];

describe("security F14: the tables after real proofs", () => {
  it("name the domain nowhere but where its holder chose to show it", async () => {
    const user = await signInFrom("sealed-corp.example", "sealed_one");
    expect(await verificationsOf(h, user.userId)).toMatchObject([{ domain: "sealed-corp.example" }]);
    expect(await tablesWith("sealed-corp.example")).toEqual([]);
    const { profile } = contract;
    expect((await user.api.call(profile.getDomainBadges, {})).availableDomain).toBe("sealed-corp.example");
    expect((await user.api.call(profile.addDomainBadge, {})).domains).toEqual(["sealed-corp.example"]);
    expect(await tablesWith("sealed-corp.example")).toEqual(["domain_badges"]);
    // A colleague's badge says nothing about those who show none.
    const colleague = await signInFrom("sealed-corp.example", "sealed_two");
    const badge = await h.db
      .selectFrom("domain_badges")
      .select("domain_tag")
      .where("user_id", "=", user.userId)
      .executeTakeFirstOrThrow();
    const rows = (await dump()).filter(({ row }) => row.includes(colleague.userId));
    expect(rows.some(({ row }) => row.includes(badge.domain_tag ?? "none"))).toBe(false);
    await user.api.call(profile.removeDomainBadge, {});
    expect(await tablesWith("sealed-corp.example")).toEqual([]);
  });

  it("name the countries in the topic that asks for them, and not with who lives there", async () => {
    const owner = await signIn(h, "owner");
    const topic = await makeTopic(owner);
    await gate(h.db, topic.id, "country", { countries: ["KR", "JP", "US"] });
    const user = await signInFrom("other-corp.example", "sealed_three");
    await challenge(user.token);
    const body = countryBody({ countries: ["KR", "JP"], isIncluded: true, nullifier: somebody() });
    const { proof, publicInputs } = body;
    const joined = await user.api.callWithStatus(contract.topics.join, {
      topicId: topic.id,
      proof,
      publicInputs,
    });
    expect(joined.status).toBe(201);
    expect(await verificationsOf(h, user.userId)).toContainEqual(
      expect.objectContaining({ countries: ["KR", "JP"], countriesIncluded: true }),
    );
    expect(await tablesWith('"KR"')).toEqual(["topics"]);
    // The proof still replaces another one.
    const second = await makeTopic(owner);
    await gate(h.db, second.id, "country", { countries: ["KR", "JP"] });
    expect((await user.api.callWithStatus(contract.topics.join, { topicId: second.id })).status).toBe(201);
  });

  it("hold one row for one fact, however often it is proven", async () => {
    const who = somebody();
    for (const domain of ["one.example", "one.example", "two.example"]) {
      const { id: challengeId, nonce } = await challenge();
      const body = proofBody({ nonce, nullifier: who, domain });
      const answer = await h.send("POST", "/api/auth/verify/ai", { body: { challengeId, result: body } });
      const { userId } = Object(answer.body);
      const kept = await verificationsOf(h, userId);
      expect(kept).toHaveLength(domain === "two.example" ? 2 : 1);
    }
  });
});

describe("security F14: rows that an earlier version wrote in clear", () => {
  /** As migrations 001 to 012 stored it. */
  const inClear = async (
    userId: string,
    circuit: string,
    domain: string | null,
    countries: string[] | null,
  ) => {
    const included = countries ? true : null;
    await sql`insert into verifications (user_id, circuit, provider, domain, countries, countries_included,
        identity_hash, verified_at, expires_at)
      values (${userId}, ${circuit}, 'provider_a', ${domain}, ${countries}::text[], ${included}, 'i', now(),
        now() + interval '20 days')`.execute(h.db);
  };

  it("are sealed when the app starts, and open the same gates and show the same badges", async () => {
    const user = await signIn(h, "old");
    await inClear(user.userId, "oidc_domain_attestation", "clear-corp.example", null);
    await inClear(user.userId, "partner_country_attestation", null, ["FR", "DE"]);
    await sql`insert into domain_badges (user_id, domain) values (${user.userId}, 'clear-corp.example')`.execute(
      h.db,
    );
    await Promise.all([1, 2].map(() => sealOldFacts(h.db, h.services.facts)));
    expect(await tablesWith("clear-corp.example")).toEqual(["domain_badges"]);
    expect(await tablesWith('"FR"')).toEqual([]);
    const { profile, topics } = contract;
    expect(await user.api.call(profile.getDomainBadges, {})).toEqual({
      domains: ["clear-corp.example"],
      limited: [],
      availableDomain: null,
    });
    const { badges } = await user.api.call(profile.getBadges, {});
    expect(badges.map(({ type }) => type).toSorted()).toEqual(["country", "oidc_domain"]);
    const created = await user.api.call(topics.create, {
      title: "Ours",
      categoryId: general,
      proofType: "country",
      allowedCountries: ["FR", "DE", "NL"],
    });
    expect(created.topic.requiresCountryProof).toBe(true);
  });

  it("are sealed within ten minutes when an old process writes them beside a new one", async () => {
    const user = await signIn(h, "old");
    for (let i = 0; i < 3; i += 1) {
      await inClear(user.userId, "oidc_domain_attestation", `late-${i}.example`, null);
    }
    await sweepExpired(h.services);
    for (let i = 0; i < 3; i += 1) expect(await tablesWith(`late-${i}.example`)).toEqual([]);
    expect((await verificationsOf(h, user.userId)).map(({ domain }) => domain).toSorted()).toEqual([
      "late-0.example",
      "late-1.example",
      "late-2.example",
    ]);
  });

  it("a row that another secret sealed is as good as none", async () => {
    const user = await signInFrom("strange.example", "sealed_four");
    await h.db
      .updateTable("verifications")
      .set({
        sealed: "eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..AAAAAAAAAAAAAAAA.AAAA.AAAAAAAAAAAAAAAAAAAAAA",
      })
      .where("user_id", "=", user.userId)
      .execute();
    expect(await user.api.call(contract.profile.getDomainBadges, {})).toEqual({
      domains: [],
      limited: [],
      availableDomain: null,
    });
    const owner = await signIn(h, "owner");
    const topic = await makeTopic(owner);
    await gate(h.db, topic.id, "workspace", { domain: "strange.example" });
    const refused = await h.send("POST", `/api/topics/${topic.id}/join`, { token: user.token, body: {} });
    expect(refused.status).toBe(402);
  });
});
