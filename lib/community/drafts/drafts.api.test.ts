import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { LIMITS } from "@/lib/contract/limits";
import type { TestUser } from "@/lib/testing/harness";
import { type Cast, createCast, draftTitled, makeTopic, refusalOf, signIn } from "../testing";
import { forgetDrafts } from "./drafts";

let cast: Cast;
let writer: TestUser;
let topicId: string;
beforeAll(async () => {
  cast = await createCast();
});
afterAll(() => cast.h.close());
beforeEach(async () => {
  writer = await signIn(cast.h);
  topicId = await cast.place("public");
});

const get = async (by = writer) => (await by.api.call(contract.drafts.get, { topicId })).draft;
const save = (title: string, version: number | null, by = writer) =>
  by.api.call(contract.drafts.save, { topicId, content: draftTitled(title), version });

describe("a draft", () => {
  it("is kept as it is, for its writer only, one per topic, until it is deleted", async () => {
    expect(await get()).toBeNull();
    expect((await save("One", null)).draft).toMatchObject({ topicId, version: 1 });
    expect(await get()).toMatchObject({ topicId, version: 1, content: draftTitled("One") });
    expect((await save("Two", 1)).draft.version).toBe(2);
    expect((await get())?.content.title).toBe("Two");
    expect(await get(await signIn(cast.h))).toBeNull();
    const gone = { success: true };
    expect(await writer.api.call(contract.drafts.delete, { topicId })).toEqual(gone);
    expect(await get()).toBeNull();
    expect(await writer.api.call(contract.drafts.delete, { topicId })).toEqual(gone);
  });

  it("409 where another device saved meanwhile, which loses nothing", async () => {
    await save("One", null);
    await save("From the phone", 1);
    for (const version of [null, 1, 3]) {
      expect(await refusalOf(save("Late", version))).toMatchObject({ status: 409, code: "draft_changed" });
    }
    expect((await get())?.content.title).toBe("From the phone");
  });

  it("is saved by one of many devices at once", async () => {
    await save("One", null);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, device) => save(`Device ${device}`, 1)),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await get()).toMatchObject({ version: 2 });
  });

  it("is one of fifty at most, also when many are saved at once", async () => {
    const topics = await Promise.all(
      Array.from({ length: LIMITS.drafts + 5 }, async () => (await makeTopic(cast.owner)).id),
    );
    const saved = await Promise.allSettled(
      topics.map((id) =>
        writer.api.call(contract.drafts.save, { topicId: id, content: draftTitled("T"), version: null }),
      ),
    );
    expect(saved.filter(({ status }) => status === "fulfilled")).toHaveLength(LIMITS.drafts);
    expect(await refusalOf(save("One more", null))).toMatchObject({ code: "too_many_drafts" });
  });

  it("is not to be read or saved where its writer may no longer read, and can be deleted there", async () => {
    topicId = await cast.place("private");
    await save("Mine", null, cast.member);
    await cast.member.api.call(contract.topics.leave, { topicId });
    expect(await refusalOf(get(cast.member))).toMatchObject({ code: "not_a_member" });
    expect(await refusalOf(save("More", 1, cast.member))).toMatchObject({ code: "not_a_member" });
    await cast.member.api.call(contract.drafts.delete, { topicId });
    expect(
      await cast.h.db.selectFrom("drafts").select("version").where("topic_id", "=", topicId).execute(),
    ).toEqual([]);
  });

  it("400 for what no post can have, by the field", async () => {
    const send = (change: object) =>
      cast.h.send("PUT", `/api/topics/${topicId}/draft`, {
        token: writer.token,
        body: { content: { ...draftTitled("T"), ...change }, version: null },
      });
    for (const [change, field] of [
      [{ title: "x".repeat(LIMITS.post.title + 1) }, "content.title"],
      [{ content: "x".repeat(LIMITS.post.html + 1) }, "content.content"],
      [{ tags: Array.from({ length: LIMITS.post.tags + 1 }, () => "t") }, "content.tags"],
    ] as const) {
      expect(await send(change)).toMatchObject({ status: 400, body: { field } });
    }
  });

  it("is forgotten when it was not saved for long", async () => {
    await save("Old", null);
    const fresh = await signIn(cast.h);
    await save("New", null, fresh);
    await sql`update drafts set updated_at = updated_at - ${LIMITS.days.draft + 1} * interval '1 day'
      where user_id = ${writer.userId}`.execute(cast.h.db);
    await forgetDrafts(cast.h.db, new Date());
    expect(await get()).toBeNull();
    expect(await get(fresh)).not.toBeNull();
  });
});
