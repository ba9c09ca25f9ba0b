import { afterAll, beforeAll, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { LIMITS } from "@/lib/contract/limits";
import { type Cast, createCast, makePost, refusalOf, signIn } from "../testing";

/** What a topic's staff note about its members, for themselves. */
let cast: Cast;
let clock = Date.now();
beforeAll(async () => {
  cast = await createCast({ now: () => new Date(clock) });
});
afterAll(() => cast.h.close());

type User = Cast["owner"];
const add = async (by: User, topicId: string, about: User, note = "Warned twice.") => {
  clock += 1000;
  return (await by.api.call(contract.members.addNote, { topicId, userId: about.userId, note })).note;
};
const list = async (by: User, topicId: string, about: User) =>
  (await by.api.call(contract.members.notes, { topicId, userId: about.userId })).notes;
const remove = (by: User, topicId: string, noteId: string) =>
  by.api.call(contract.members.deleteNote, { topicId, noteId });

it("are read by the staff of the topic, latest first, and by nobody else", async () => {
  const { owner, admin, member, outsider } = cast;
  const topicId = await cast.place();
  const elsewhere = await cast.place();
  await add(owner, topicId, member, "First");
  await add(admin, topicId, member, "Second");
  const notes = await list(admin, topicId, member);
  expect(notes.map(({ note, author, abilities }) => [note, author.nickname, abilities])).toEqual([
    ["Second", admin.nickname, ["delete"]],
    ["First", owner.nickname, []],
  ]);
  expect((await list(owner, topicId, member)).map(({ abilities }) => abilities)).toEqual([
    ["delete"],
    ["delete"],
  ]);
  expect(await list(admin, elsewhere, member)).toEqual([]);
  expect(await refusalOf(list(member, topicId, member))).toMatchObject({ code: "role_required" });
  expect(await refusalOf(list(outsider, topicId, member))).toMatchObject({ code: "not_a_member" });
  expect(await refusalOf(add(member, topicId, admin))).toMatchObject({ code: "role_required" });
});

it("about oneself nobody reads, writes, deletes or counts", async () => {
  const { owner, admin } = cast;
  const topicId = await cast.place();
  const note = await add(owner, topicId, admin);
  expect(await list(admin, topicId, admin)).toEqual([]);
  expect(await refusalOf(add(admin, topicId, admin))).toMatchObject({ code: "role_required" });
  expect(await refusalOf(remove(admin, topicId, note.id))).toMatchObject({ code: "note_not_found" });
  const counts = async (by: User) =>
    Object.fromEntries(
      (await by.api.call(contract.members.list, { topicId })).members.map((m) => [m.nickname, m.noteCount]),
    );
  expect((await counts(admin))[admin.nickname]).toBe(0);
  expect((await counts(owner))[admin.nickname]).toBe(1);
});

it("are counted in the list of members for staff, in the queue, and in no one else's list", async () => {
  const { admin, member } = cast;
  const topicId = await cast.place();
  await add(admin, topicId, member);
  const countFor = async (by: User) =>
    (await by.api.call(contract.members.list, { topicId })).members.find(
      ({ userId }) => userId === member.userId,
    )?.noteCount;
  expect([await countFor(admin), await countFor(member)]).toEqual([1, null]);
  const { id: postId } = await makePost(member, topicId);
  await admin.api.call(contract.moderation.reportPost, { postId, reason: "spam" });
  const { cases } = await admin.api.call(contract.moderation.queue, { topicId });
  expect(cases[0]?.author.noteCount).toBe(1);
});

it("are deleted by their author, or any by the owner", async () => {
  const { owner, admin, member } = cast;
  const topicId = await cast.place();
  const [mine, theirs] = [await add(admin, topicId, member), await add(owner, topicId, member)];
  expect(await refusalOf(remove(admin, topicId, theirs.id))).toMatchObject({ code: "role_required" });
  expect(await refusalOf(remove(admin, await cast.place(), mine.id))).toMatchObject({
    code: "note_not_found",
  });
  await remove(owner, topicId, mine.id);
  await remove(owner, topicId, theirs.id);
  expect(await list(owner, topicId, member)).toEqual([]);
  expect(await refusalOf(remove(owner, topicId, theirs.id))).toMatchObject({ code: "note_not_found" });
});

it("are at most fifty about one person, also of parallel requests", async () => {
  const { owner, member } = cast;
  const topicId = await cast.place();
  const { notes: max } = LIMITS.moderation;
  await cast.h.db
    .insertInto("staff_notes")
    .values(
      Array.from({ length: max - 1 }, () => ({
        topic_id: topicId,
        user_id: member.userId,
        author_id: owner.userId,
        note: "n",
        created_at: new Date(clock),
      })),
    )
    .execute();
  const all = await Promise.allSettled(Array.from({ length: 5 }, () => add(owner, topicId, member)));
  expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await refusalOf(add(owner, topicId, member))).toMatchObject({ code: "too_many_notes" });
});

it("go with the account they are about, and stay when their author leaves or withdraws", async () => {
  const { h, owner } = cast;
  const [about, by] = [await signIn(h), await signIn(h)];
  const topicId = await cast.place();
  for (const user of [about, by]) await user.api.call(contract.topics.join, { topicId });
  await owner.api.call(contract.members.setRole, { topicId, userId: by.userId, role: "admin" });
  await add(by, topicId, about);
  await by.api.call(contract.profile.deleteAccount, {});
  expect((await list(owner, topicId, about)).map(({ author }) => author.nickname)).toEqual(["[withdrawn]"]);
  await about.api.call(contract.profile.deleteAccount, {});
  expect(await list(owner, topicId, about)).toEqual([]);
  const left = await h.db.selectFrom("staff_notes").select("id").where("topic_id", "=", topicId).execute();
  expect(left).toEqual([]);
  expect(await refusalOf(add(owner, topicId, about))).toMatchObject({ code: "user_not_found" });
});
