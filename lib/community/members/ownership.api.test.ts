import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { ageProof, latestOf } from "../desk/testing";
import { forcedTopics } from "../profile/forced-topics";
import { type Cast, createCast, refusalOf, signIn } from "../testing";

/** An owner offers a topic to a member, who accepts or declines. */
const day = 24 * 60 * 60 * 1000;
let cast: Cast;
const clock = Date.now();
beforeAll(async () => {
  cast = await createCast({ now: () => new Date(clock) });
});
afterAll(() => cast.h.close());

type User = Cast["owner"];
const offer = (by: User, topicId: string, to: User) =>
  by.api.call(contract.ownership.offer, { topicId, userId: to.userId });
const answer = (by: User, topicId: string, accept: boolean) =>
  by.api.call(contract.ownership.answer, { topicId, accept });
const cancel = (by: User, topicId: string) => by.api.call(contract.ownership.cancel, { topicId });
const read = async (by: User, topicId: string) =>
  (await by.api.call(contract.ownership.get, { topicId })).offer;
const ownerOf = async (topicId: string) => {
  const rows = await cast.h.db
    .selectFrom("memberships")
    .select("user_id")
    .where("topic_id", "=", topicId)
    .where("role", "=", "owner")
    .execute();
  const { creator_id } = await cast.h.db
    .selectFrom("topics")
    .select("creator_id")
    .where("id", "=", topicId)
    .executeTakeFirstOrThrow();
  return [...rows.map(({ user_id }) => user_id), creator_id];
};

describe("an offer of ownership", () => {
  it("changes nothing until the member accepts; then they own the topic and the owner is an admin", async () => {
    const { owner, admin, member } = cast;
    const topicId = await cast.place();
    const made = (await offer(owner, topicId, member)).offer;
    expect(made).toEqual({
      member: { userId: member.userId, nickname: member.nickname, profileImage: null },
      offeredAt: new Date(clock).toISOString(),
      expiresAt: new Date(clock + 7 * day).toISOString(),
      abilities: ["cancel"],
    });
    expect(await ownerOf(topicId)).toEqual([owner.userId, owner.userId]);
    expect(await latestOf(member)).toMatchObject({
      kind: "ownership_offered",
      topicId,
      actor: { userId: owner.userId },
    });
    expect((await read(member, topicId))?.abilities).toEqual(["accept"]);
    expect((await read(owner, topicId))?.abilities).toEqual(["cancel"]);
    // Nobody else learns of it or can answer it.
    expect(await read(admin, topicId)).toBeNull();
    expect(await refusalOf(answer(admin, topicId, true))).toMatchObject({ code: "offer_not_found" });
    await answer(member, topicId, true);
    expect(await ownerOf(topicId)).toEqual([member.userId, member.userId]);
    expect(await latestOf(owner)).toMatchObject({ kind: "ownership_accepted", topicId });
    const { entries } = await owner.api.call(contract.moderation.log, { topicId });
    expect(entries).toEqual([
      expect.objectContaining({
        action: "ownership_transferred",
        actorId: owner.userId,
        subjectId: member.userId,
        details: { accepted: "true" },
      }),
    ]);
    expect(await read(member, topicId)).toBeNull();
    expect(await refusalOf(answer(member, topicId, true))).toMatchObject({ code: "offer_not_found" });
    // Who accepted is not an owner against their will.
    expect(await forcedTopics(cast.h.db, member.userId)).toEqual([]);
  });

  it("ends when it is declined or taken back", async () => {
    const { owner, member } = cast;
    const topicId = await cast.place();
    await offer(owner, topicId, member);
    await answer(member, topicId, false);
    expect(await latestOf(owner)).toMatchObject({ kind: "ownership_declined", topicId });
    expect(await read(owner, topicId)).toBeNull();
    await offer(owner, topicId, member);
    await cancel(owner, topicId);
    expect(await refusalOf(answer(member, topicId, true))).toMatchObject({ code: "offer_not_found" });
    expect(await refusalOf(cancel(owner, topicId))).toMatchObject({ code: "offer_not_found" });
    expect(await ownerOf(topicId)).toEqual([owner.userId, owner.userId]);
  });

  it("expires after seven days; then another can be made", async () => {
    const { owner, admin, member } = cast;
    const topicId = await cast.place();
    await offer(owner, topicId, member);
    expect(await refusalOf(offer(owner, topicId, admin))).toMatchObject({ code: "offer_open" });
    const again = (await offer(owner, topicId, member)).offer;
    expect(again.offeredAt).toBe(new Date(clock).toISOString());
    await cast.h.db
      .updateTable("ownership_offers")
      .set({ expires_at: new Date(clock) })
      .where("topic_id", "=", topicId)
      .execute();
    expect(await read(member, topicId)).toBeNull();
    expect(await refusalOf(answer(member, topicId, true))).toMatchObject({ code: "offer_not_found" });
    await offer(owner, topicId, admin);
    expect((await read(owner, topicId))?.member.userId).toBe(admin.userId);
  });

  it("ends with the membership, and with a transfer to someone else", async () => {
    const { owner, admin, member } = cast;
    const left = await cast.place();
    await offer(owner, left, member);
    await member.api.call(contract.topics.leave, { topicId: left });
    expect(await read(owner, left)).toBeNull();
    const banned = await cast.place();
    await offer(owner, banned, member);
    const ban = { topicId: banned, userId: member.userId, kind: "ban", reason: "r" } as const;
    await owner.api.call(contract.moderation.sanction, ban);
    expect(await read(owner, banned)).toBeNull();
    const given = await cast.place();
    await offer(owner, given, member);
    await owner.api.call(contract.members.setRole, { topicId: given, userId: admin.userId, role: "owner" });
    expect(await refusalOf(answer(member, given, true))).toMatchObject({ code: "offer_not_found" });
    expect(await ownerOf(given)).toEqual([admin.userId, admin.userId]);
  });

  it("is the owner's to make, with a fresh proof, to another member", async () => {
    const { owner, admin, member, outsider } = cast;
    const topicId = await cast.place();
    expect(await refusalOf(offer(admin, topicId, member))).toMatchObject({ code: "role_required" });
    expect(await refusalOf(offer(owner, topicId, outsider))).toMatchObject({ code: "member_not_found" });
    expect(await refusalOf(offer(owner, topicId, owner))).toMatchObject({ code: "role_required" });
    const stale = await ageProof(cast.h, owner);
    expect(await refusalOf(offer(stale, topicId, member))).toMatchObject({ code: "fresh_proof_required" });
    expect(await refusalOf(read(outsider, topicId))).toMatchObject({ code: "not_a_member" });
  });

  it("ends when the member withdraws", async () => {
    const { owner } = cast;
    const topicId = await cast.place();
    const member = await signIn(cast.h);
    await member.api.call(contract.topics.join, { topicId });
    await offer(owner, topicId, member);
    await member.api.call(contract.profile.deleteAccount, {});
    expect(await read(owner, topicId)).toBeNull();
  });
});
