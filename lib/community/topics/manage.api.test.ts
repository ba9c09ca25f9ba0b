import { createHash, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { addTo, gate, makeTopic, membersOf, onePixel, refusalOf, signIn, verified } from "../testing";

/** Editing a topic, leaving it, and inviting into it. */
let h: Harness;
let owner: TestUser;
let admin: TestUser;
let outsider: TestUser;
let clock = Date.now();
beforeAll(async () => {
  h = await createHarness({ now: () => new Date(clock) });
  [owner, admin, outsider] = [await signIn(h, "owner"), await signIn(h, "admin"), await signIn(h)];
});
afterAll(() => h.close());

const edit = async (user: TestUser, topicId: string, body: object) =>
  await user.api.call(contract.topics.update, { topicId, ...body });

describe("PATCH 200", () => {
  it("changes what the body names and leaves the rest, and search finds the new words only", async () => {
    const { id, title } = await makeTopic(owner, "public", "Zwergstrauch");
    clock += 1000;
    const first = await edit(owner, id, { description: " Heidekraut " });
    expect(first.topic).toMatchObject({ id, title, description: "Heidekraut", image: null });
    expect(first.topic.updatedAt).toBe(new Date(clock).toISOString());
    const { topic } = await edit(owner, id, { title: "Besenheide" });
    expect(topic).toMatchObject({ title: "Besenheide", description: "Heidekraut" });
    const found = async (q: string) =>
      (await h.guest.call(contract.topics.list, { view: "all", q })).topics.map((t) => t.id);
    expect([await found("zwergstrauch"), await found("besenheide"), await found("heidekraut")]).toEqual([
      [],
      [id],
      [id],
    ]);
    const read = await h.guest.call(contract.topics.get, { topicId: id });
    expect(read.topic).toMatchObject({ title: "Besenheide", description: "Heidekraut" });
  });

  it.each([
    [{ description: null }, { description: null }],
    [{ description: "" }, { description: null }],
    [{ image: null }, { image: null }],
    [{ banner: null }, { banner: null }],
  ])("removes by null or emptiness: %j", async (body, shown) => {
    const { id } = await makeTopic(owner);
    await h.db
      .updateTable("topics")
      .set({ description: "d", image: "https://i.example/a.png", banner: "https://i.example/b.png" })
      .execute();
    expect((await edit(owner, id, body)).topic).toMatchObject(shown);
    const kept = await h.db
      .selectFrom("topics")
      .select(["description", "image", "banner"])
      .where("id", "=", id)
      .executeTakeFirst();
    const before = { description: "d", image: "https://i.example/a.png", banner: "https://i.example/b.png" };
    expect(kept).toEqual({ ...before, ...shown });
  });

  it.each(["image", "banner"] as const)(
    "accepts the %s as a data URI or as an upload of the caller, and keeps the current one",
    async (field) => {
      const { id } = await makeTopic(owner);
      const { [field]: image } = (await edit(owner, id, { [field]: onePixel })).topic;
      expect(image).toMatch(`/topics/${owner.userId}/`);
      const again = await makeTopic(owner);
      expect((await edit(owner, again.id, { [field]: image })).topic[field]).toBe(image);
      // A new owner sends the current URL.
      await addTo(h.db, id, admin, "admin");
      await owner.api.call(contract.members.setRole, { topicId: id, userId: admin.userId, role: "owner" });
      expect((await edit(admin, id, { title: "T", [field]: image })).topic[field]).toBe(image);
      const other = await makeTopic(admin);
      const refused = await refusalOf(edit(admin, other.id, { [field]: image }));
      expect(refused).toMatchObject({ code: "not_your_upload" });
    },
  );

  it("is logged with the fields it named, without their words", async () => {
    const { id } = await makeTopic(owner);
    await edit(owner, id, { title: "secret word", description: "other word" });
    const { entries } = await owner.api.call(contract.moderation.log, { topicId: id });
    expect(entries).toMatchObject([{ action: "topic_edited", actorId: owner.userId, subjectId: null }]);
    expect(entries[0]?.details).toEqual({ fields: "title, description" });
    expect(JSON.stringify(entries)).not.toContain("word");
  });
});

describe("PATCH 400", () => {
  it.each([
    [{}, "nothing_to_change", undefined],
    [{ title: " " }, "invalid_request", "title"],
    [{ title: "x".repeat(101) }, "invalid_request", "title"],
    [{ title: null }, "invalid_request", "title"],
    [{ description: "x".repeat(2001) }, "invalid_request", "description"],
    [{ image: "javascript:alert(1)" }, "not_your_upload", "image"],
    [{ image: "https://elsewhere.example/a.png" }, "not_your_upload", "image"],
    [{ image: "data:image/svg+xml;base64,PHN2Zy8+" }, "upload_type", "image"],
    [{ image: "" }, "invalid_request", "image"],
    [{ banner: "https://elsewhere.example/a.png" }, "not_your_upload", "banner"],
    [{ banner: "" }, "invalid_request", "banner"],
  ])("%j", async (body, code, field) => {
    const { id } = await makeTopic(owner);
    const answer = await h.send("PATCH", `/api/topics/${id}`, { token: owner.token, body });
    expect([answer.status, Object(answer.body).code]).toEqual([400, code]);
    if (field) expect(Object(answer.body).field).toBe(field);
  });
});

describe("PATCH 401, 403, 404", () => {
  it("an admin, a member, an outsider, a guest, and nothing to edit", async () => {
    const { id } = await makeTopic(owner);
    const member = await signIn(h);
    await addTo(h.db, id, admin, "admin");
    await addTo(h.db, id, member);
    const refused = async (user: TestUser, topicId = id) =>
      await refusalOf(edit(user, topicId, { title: "x" }));
    expect(await refused(admin)).toMatchObject({ status: 403, code: "role_required" });
    expect(await refused(member)).toMatchObject({ status: 403, code: "role_required" });
    expect(await refused(outsider)).toMatchObject({ status: 403, code: "not_a_member" });
    expect(await refused(owner, randomUUID())).toMatchObject({ status: 404, code: "topic_not_found" });
    expect((await h.send("PATCH", `/api/topics/${id}`, { body: { title: "x" } })).status).toBe(401);
    // No image is stored for someone who may not edit.
    expect(await refusalOf(edit(admin, id, { image: onePixel }))).toMatchObject({ code: "role_required" });
    const stored = h.db.selectFrom("uploads").select("key").where("user_id", "=", admin.userId);
    expect(await stored.execute()).toEqual([]);
  });
});

describe("leave", () => {
  const leave = (user: TestUser, topicId: string) => user.api.call(contract.topics.leave, { topicId });

  it("200: ends the membership of any role, and is counted; the user can join again at once", async () => {
    const { id } = await makeTopic(owner);
    const member = await signIn(h);
    await addTo(h.db, id, admin, "admin");
    await addTo(h.db, id, member);
    expect(await leave(member, id)).toEqual({ success: true });
    expect(await leave(admin, id)).toEqual({ success: true });
    expect(await membersOf(h.db, id)).toEqual({ counted: 1, rows: 1 });
    await member.api.call(contract.topics.join, { topicId: id });
    expect(await membersOf(h.db, id)).toEqual({ counted: 2, rows: 2 });
  });

  it("keeps the identity bound: nobody returns with another account", async () => {
    const { id } = await makeTopic(owner);
    await gate(h.db, id, "workspace", { domain: "example.com" });
    const [first, second] = [await signIn(h), await signIn(h)];
    const identityHash = randomUUID();
    for (const user of [first, second]) await verified(h, user, { domain: "example.com", identityHash });
    await first.api.call(contract.topics.join, { topicId: id });
    await leave(first, id);
    const join = second.api.call(contract.topics.join, { topicId: id });
    expect(await refusalOf(join)).toMatchObject({ status: 409, code: "proof_used" });
    await first.api.call(contract.topics.join, { topicId: id });
  });

  it("409 for the owner, 403 for someone who is not a member, 404 and 401", async () => {
    const { id } = await makeTopic(owner);
    expect(await refusalOf(leave(owner, id))).toMatchObject({ status: 409, code: "owner_must_transfer" });
    expect(await refusalOf(leave(outsider, id))).toMatchObject({ status: 403, code: "not_a_member" });
    expect(await refusalOf(leave(owner, randomUUID()))).toMatchObject({ code: "topic_not_found" });
    expect((await h.send("POST", `/api/topics/${id}/leave`)).status).toBe(401);
    expect(await membersOf(h.db, id)).toEqual({ counted: 1, rows: 1 });
  });
});

describe("invite", () => {
  const invite = (user: TestUser, topicId: string) =>
    user.api.call(contract.topics.createInvite, { topicId });
  const enter = (user: TestUser, inviteCode: string) =>
    user.api.call(contract.topics.joinByInvite, { inviteCode });

  it("201: a plain member's token lets one person into a secret topic, for 7 days", async () => {
    const { id } = await makeTopic(owner, "secret");
    const [member, first, second] = [await signIn(h), await signIn(h), await signIn(h)];
    await addTo(h.db, id, member);
    const { token, expiresAt } = await invite(member, id);
    expect(token).toMatch(/^[0-9a-f]{16}$/);
    expect(expiresAt).toBe(new Date(clock + 7 * 86_400_000).toISOString());
    expect(await enter(first, token)).toEqual({ success: true, topicId: id });
    expect(await refusalOf(enter(second, token))).toMatchObject({ status: 404, code: "invite_not_found" });
    expect(await membersOf(h.db, id)).toEqual({ counted: 3, rows: 3 });
  });

  it("stores only the SHA-256 of a token", async () => {
    const { id } = await makeTopic(owner);
    const { token } = await invite(owner, id);
    const rows = await h.db.selectFrom("invite_tokens").selectAll().where("topic_id", "=", id).execute();
    expect(rows).toMatchObject([
      {
        token_hash: createHash("sha256").update(token).digest("hex"),
        issued_by: owner.userId,
        used_at: null,
      },
    ]);
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  it("404 once the 7 days are over", async () => {
    const { id } = await makeTopic(owner, "secret");
    const { token, expiresAt } = await invite(owner, id);
    const state = async () => (await refusalOf(enter(owner, token))).code;
    const setEnd = async (end: number) =>
      await h.db
        .updateTable("invite_tokens")
        .set({ expires_at: new Date(end) })
        .where("topic_id", "=", id)
        .execute();
    expect(await state()).toBe("already_member");
    // The time when it ends; sessions last as long.
    const week = Date.parse(expiresAt) - clock;
    await setEnd(Date.parse(expiresAt) - week + 1);
    expect(await state()).toBe("already_member");
    await setEnd(Date.parse(expiresAt) - week);
    expect(await state()).toBe("invite_not_found");
  });

  it("401, 403 and 404", async () => {
    const { id } = await makeTopic(owner);
    expect(await refusalOf(invite(outsider, id))).toMatchObject({ status: 403, code: "not_a_member" });
    expect(await refusalOf(invite(await h.login(), id))).toMatchObject({ code: "nickname_required" });
    expect(await refusalOf(invite(owner, randomUUID()))).toMatchObject({
      status: 404,
      code: "topic_not_found",
    });
    expect((await h.send("POST", `/api/topics/${id}/invite`)).status).toBe(401);
  });
});
