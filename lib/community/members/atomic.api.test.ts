import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { addTo, makePost, makeTopic, refusalOf, signIn } from "../testing";

/**
 * An act that breaks off in its middle leaves nothing of it behind. A trigger breaks the statement that an act makes
 * last but one, or last; the whole database must then be as before.
 */
let h: Harness;
let owner: TestUser;
let member: TestUser;
beforeAll(async () => {
  h = await createHarness();
  owner = await signIn(h, "owner");
  member = await signIn(h, "member");
  await sql`create function fail() returns trigger language plpgsql as
    $$ begin raise exception 'broken off'; end $$`.execute(h.db);
});
afterAll(() => h.close());
afterEach(async () => {
  const { rows } = await sql<{ name: string }>`
    select tgrelid::regclass::text as name from pg_trigger where tgname = 'broken'`.execute(h.db);
  for (const { name } of rows) await sql`drop trigger broken on ${sql.table(name)}`.execute(h.db);
});

async function breakAt(event: "insert" | "update" | "delete", table: string) {
  await sql`create trigger broken before ${sql.raw(event)} on ${sql.table(table)}
    for each row execute function fail()`.execute(h.db);
}

/** Everything in every table, but for what the clock and the session machinery write by themselves. */
async function everything(): Promise<Record<string, unknown>> {
  await h.idle();
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'
      and table_name not in ('sessions', 'cache_entries')`.execute(h.db);
  const all: Record<string, unknown> = {};
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`
      select r::text as row from ${sql.table(name)} as r order by 1`.execute(h.db);
    all[name] = rows.map(({ row }) => row);
  }
  return all;
}

/** The act fails with a 500 that says nothing, changes nothing, and succeeds once the trouble is over. */
async function assertAtomic(act: () => Promise<unknown>) {
  const before = await everything();
  expect(await refusalOf(act())).toMatchObject({ status: 500, code: "internal" });
  expect(await everything()).toEqual(before);
}

async function place() {
  const { id: topicId } = await makeTopic(owner, "private");
  await addTo(h.db, topicId, member);
  const { post } = await member.api.call(contract.posts.create, {
    topicId,
    title: "t",
    content: "<p>c</p>",
    tags: ["a tag"],
    poll: { options: ["A", "B"] },
  });
  await member.api.call(contract.comments.create, { postId: post.id, content: "c" });
  await makePost(owner, topicId);
  const asker = await signIn(h);
  await asker.api.call(contract.topics.join, { topicId });
  const [request] = (await owner.api.call(contract.requests.list, { topicId })).requests;
  await member.api.call(contract.moderation.reportPost, { postId: post.id, reason: "spam" });
  const [report] = (await owner.api.call(contract.moderation.reports, { topicId })).reports;
  return { topicId, requestId: request?.id ?? "", reportId: report?.id ?? "", postId: post.id };
}

const userId = () => member.userId;

describe("nothing is half done", () => {
  it.each([
    ["update", "join_requests"],
    ["insert", "moderation_log"],
  ] as const)("approving a request, broken at %s of %s", async (event, table) => {
    const { topicId, requestId } = await place();
    const approve = () => owner.api.call(contract.requests.decide, { topicId, requestId, action: "approve" });
    await breakAt(event, table);
    await assertAtomic(approve);
    await sql`drop trigger broken on ${sql.table(table)}`.execute(h.db);
    expect(await approve()).toEqual({ success: true });
  });

  it.each([
    ["delete", "comments"],
    ["delete", "topic_tags"],
    ["delete", "topics"],
  ] as const)("deleting a topic, broken at %s of %s", async (event, table) => {
    const { topicId } = await place();
    const remove = () => owner.api.call(contract.topics.delete, { topicId });
    await breakAt(event, table);
    await assertAtomic(remove);
    await sql`drop trigger broken on ${sql.table(table)}`.execute(h.db);
    expect(await remove()).toMatchObject({ deletedPostCount: 2 });
  });

  it.each([
    ["update", "topics"],
    ["insert", "moderation_log"],
  ] as const)("handing a topic over, broken at %s of %s", async (event, table) => {
    const { topicId } = await place();
    await breakAt(event, table);
    await assertAtomic(() =>
      owner.api.call(contract.members.setRole, { topicId, userId: userId(), role: "owner" }),
    );
  });

  it("removing and banning", async () => {
    const { topicId } = await place();
    await breakAt("insert", "moderation_log");
    await assertAtomic(() => owner.api.call(contract.members.remove, { topicId, userId: userId() }));
    await assertAtomic(() =>
      owner.api.call(contract.moderation.sanction, { topicId, userId: userId(), kind: "ban", reason: "r" }),
    );
  });

  it("answering a report, hiding and editing", async () => {
    const { topicId, reportId, postId } = await place();
    await breakAt("insert", "moderation_log");
    await assertAtomic(() =>
      owner.api.call(contract.moderation.decideReport, { topicId, reportId, action: "dismiss" }),
    );
    await assertAtomic(() => owner.api.call(contract.moderation.hidePost, { postId, hidden: true }));
    await assertAtomic(() => owner.api.call(contract.topics.update, { topicId, title: "New" }));
  });

  it("joining by a token, which stays good", async () => {
    const { topicId } = await place();
    const { token } = await owner.api.call(contract.topics.createInvite, { topicId });
    const late = await signIn(h);
    const join = () => late.api.call(contract.topics.joinByInvite, { inviteCode: token });
    await breakAt("update", "invite_tokens");
    await assertAtomic(join);
    await sql`drop trigger broken on invite_tokens`.execute(h.db);
    expect(await join()).toMatchObject({ topicId });
  });
});
