import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { contract } from "@/lib/contract";
import { log } from "@/lib/log";
import { circuitInputs } from "@/lib/proofs/anonymous/statement";
import { testEngine } from "@/lib/proofs/testing/membership";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { makeTopic, refusalOf, signIn } from "../testing";
import { crowdOf, type Insider } from "./testing";

/** Real proofs, by the committed circuit on the ceremony's points, checked by the app's own verifier. */
const engine = testEngine();
const prover = async (...given: Parameters<typeof circuitInputs>) =>
  await engine.prove(circuitInputs(...given));

let h: Harness;
let clock = Date.UTC(2026, 10, 28, 12, 3);
let owner: TestUser;
let topicId: string;
let crowd: readonly Insider[];

beforeAll(async () => {
  h = await createHarness({
    now: () => new Date(clock),
    env: { ANONYMOUS_MINIMUM: "2", RATE_LIMITS: "on", TRUST_PROXY: "1" },
  });
  owner = await signIn(h, "owner");
  topicId = (await makeTopic(owner)).id;
  crowd = await crowdOf(h, topicId, 2, (at) => {
    clock = at;
  });
});
afterAll(async () => {
  await engine.close();
  await h.close();
});

function author(): Insider {
  const [first] = crowd;
  if (!first) throw new Error("the crowd has nobody");
  return first;
}

it("a post and a comment under it are written with real proofs, and with none that was changed", async () => {
  const body = await author().post(0, { title: "Heard" }, { prover });
  const { proof } = body.membership;
  const changed = `${proof.slice(0, 200)}${proof[200] === "0" ? "1" : "0"}${proof.slice(201)}`;
  const forged = { ...body, membership: { ...body.membership, proof: changed } };
  expect(await refusalOf(h.guest.call(contract.anonymous.post, forged))).toMatchObject({
    code: "membership_invalid",
  });
  const other = { ...body, title: "Another" };
  expect(await refusalOf(h.guest.call(contract.anonymous.post, other))).toMatchObject({
    code: "membership_invalid",
  });
  const { postId } = await h.guest.call(contract.anonymous.post, body);
  const comment = await author().comment(postId, 1, "Quite.", null, { prover });
  const { anonymous } = await h.guest.call(contract.anonymous.comment, comment);
  expect(anonymous).toMatchObject({ crowd: 2, isAuthorOfPost: true });

  // Whoever reads it can check it, with what is published alone.
  const { evidence } = await h.guest.call(contract.anonymous.evidence, { postId });
  const words = evidence.publicInputs.map((word): `0x${string}` => `0x${word.slice(2)}`);
  const bytes = Uint8Array.from(Buffer.from(evidence.proof.slice(2), "hex"));
  expect(await engine.verify(bytes, words)).toBe(true);
}, 120_000);

/** Everything logged from here on, as log lines. */
function listen(): readonly string[] {
  const lines: string[] = [];
  for (const level of ["info", "warn", "error"] as const) {
    vi.spyOn(log, level).mockImplementation((...given: unknown[]) => void lines.push(JSON.stringify(given)));
  }
  return lines;
}
afterEach(() => vi.restoreAllMocks());

it("nothing of who sent it, or from where, is in any table or line of the log", async () => {
  const lines = listen();
  const address = "203.0.113.77";
  const { topicId: _, ...body } = await author().post(2, { title: "Found nowhere" }, { prover });
  const headers = {
    "x-forwarded-for": address,
    "user-agent": "canary-agent",
    "x-request-id": "canary-request",
  };
  const answer = await h.send("POST", `/api/topics/${topicId}/anonymous/posts`, { body, headers });
  expect(answer.status).toBe(201);
  await h.idle();
  const { userId, nickname } = author().user;
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public'`.execute(h.db);
  expect(lines.some((line) => line.includes("anonymous.post"))).toBe(true);
  const named = [address, "canary-agent", "canary-request", userId, nickname, body.id, body.membership.tag];
  for (const canary of named)
    expect(
      lines.filter((line) => line.includes(canary)),
      canary,
    ).toEqual([]);
  const canaries = [address, "canary-agent", "canary-request"];
  const texts = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await sql<{ text: string }>`select t::text as text from ${sql.table(name)} t`.execute(
        h.db,
      );
      return [name, rows.map(({ text }) => text)] as const;
    }),
  );
  const all = texts.flatMap(([, rows]) => rows);
  expect(all.some((text) => text.includes("Found nowhere"))).toBe(true);
  for (const canary of canaries)
    expect(
      all.filter((text) => text.includes(canary)),
      canary,
    ).toEqual([]);
  // Rows about the post, in all tables, name nobody.
  const about = all.filter((text) => text.includes(body.id));
  expect(about.length).toBeGreaterThan(2);
  for (const canary of [userId, nickname]) expect(about.filter((text) => text.includes(canary))).toEqual([]);
  // No counter of the shared cache has its address; the limit counts in memory.
  const counters = all.filter((text) => /rate:anonymous\.(terms|post|comment)/.test(text));
  expect(counters).toEqual([]);
}, 120_000);

it("a flood from one address is limited in this process alone, and other addresses are not", async () => {
  const { points } = contract.anonymous.terms.limit;
  const ask = async (address: string) =>
    (await h.send("GET", `/api/topics/${topicId}/anonymous`, { headers: { "x-forwarded-for": address } }))
      .status;
  const lines = listen();
  for (let i = 0; i < points; i++) expect(await ask("198.51.100.1")).toBe(200);
  expect(await ask("198.51.100.1")).toBe(429);
  expect(await ask("198.51.100.2")).toBe(200);
  // Another refusal for too many requests is a security event, with a tag of the address.
  expect(lines.filter((line) => line.includes("security"))).toEqual([]);
});
