import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addTo, general, makePost, makeTopic, refusalOf, signIn } from "@/lib/community/testing";
import { type ClientInput, contract } from "@/lib/contract";
import { LIMITS } from "@/lib/contract/limits";
import { openEvents } from "@/lib/testing/events";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { digestOfToken } from "./automation-token";
import { FRESH_PROOF_MS } from "./fresh-proof";

let h: Harness;
let clock = Date.now();
beforeAll(async () => {
  h = await createHarness({ now: () => new Date(clock) });
});
afterAll(() => h.close());

const { createToken, tokens, revokeToken, spend } = contract.auth;
type Asked = Omit<ClientInput<typeof createToken>, "name">;

/** Makes a token of this user; `api` calls with it. */
async function tokenOf(owner: TestUser, asked: Asked) {
  const made = await owner.api.call(createToken, { name: "nightly", ...asked });
  return { ...made, api: h.clientFor(made.token) };
}

const noScope = { status: 403, code: "scope_missing" };

describe("a token for automation", () => {
  it("is shown once, stored as a digest, listed with what it may do, and counts its last use", async () => {
    const owner = await signIn(h);
    const { token, automation } = await tokenOf(owner, {
      scopes: ["read", "posts.vote"],
      days: 7,
      spendCap: 300_000,
    });
    expect(token).toMatch(/^parley_[\w-]{43}$/);
    const day = 86_400_000;
    expect(automation).toEqual({
      id: automation.id,
      name: "nightly",
      scopes: ["read", "posts.vote"],
      topicIds: null,
      spendCap: 300_000,
      spent: 0,
      createdAt: new Date(clock).toISOString(),
      lastSeenAt: new Date(clock).toISOString(),
      expiresAt: new Date(clock + 7 * day).toISOString(),
    });
    const rows = JSON.stringify([
      await h.db.selectFrom("sessions").selectAll().execute(),
      await h.db.selectFrom("automation_tokens").selectAll().execute(),
    ]);
    expect(rows).toContain(digestOfToken(token));
    expect(rows).not.toContain(token);
    clock += day;
    const me = await h.clientFor(token).call(contract.auth.session, {});
    await h.idle();
    const used = { ...automation, lastSeenAt: new Date(clock).toISOString() };
    expect(me).toMatchObject({ userId: owner.userId, automation: { id: automation.id } });
    expect((await owner.api.call(tokens, {})).tokens).toEqual([used]);
    // It is no sign-in of a person.
    expect((await owner.api.call(contract.auth.sessions, {})).sessions).toHaveLength(1);
    clock += 6 * day;
    expect((await h.send("GET", "/api/auth/session", { token })).status).toBe(401);
    expect(await h.login(owner.nickname).then(({ api }) => api.call(tokens, {}))).toEqual({ tokens: [] });
  });

  it("is 401 at once when it is revoked, and its streams end; another's is not found", async () => {
    const [owner, other] = [await signIn(h), await signIn(h)];
    const { id: topicId } = await makeTopic(owner);
    const { token, automation, api } = await tokenOf(owner, { scopes: ["chat.subscribe", "read"] });
    const stream = await openEvents(h, contract.chat.subscribe, `/api/topics/${topicId}/chat/subscribe`, {
      token,
    });
    await stream.next("presence");
    const gone = { status: 404, code: "token_not_found" };
    expect(await refusalOf(other.api.call(revokeToken, { tokenId: automation.id }))).toMatchObject(gone);
    expect(await owner.api.call(revokeToken, { tokenId: automation.id })).toEqual({ success: true });
    expect(await refusalOf(api.call(contract.auth.session, {}))).toMatchObject({ status: 401 });
    await stream.end();
    expect(await refusalOf(owner.api.call(revokeToken, { tokenId: automation.id }))).toMatchObject(gone);
    // A session's id is no token's.
    const [session] = (await owner.api.call(contract.auth.sessions, {})).sessions;
    expect(await refusalOf(owner.api.call(revokeToken, { tokenId: session?.id ?? "" }))).toMatchObject(gone);
  });

  it("takes a fresh proof to make, and makes no other and no session", async () => {
    const owner = await signIn(h);
    const { api, token } = await tokenOf(owner, { scopes: ["read", "write", "chat", "topics", "staff"] });
    const refused = await Promise.all(
      [
        api.call(createToken, { name: "child", scopes: ["read"] }),
        api.call(tokens, {}),
        api.call(contract.auth.refresh, {}),
        api.call(contract.auth.sessions, {}),
        api.call(contract.profile.setNickname, { nickname: "somebody_else" }),
        api.call(contract.my.makeFeed, {}),
        api.call(contract.profile.deleteAccount, {}),
        api.call(contract.profile.export, {}),
      ].map(refusalOf),
    );
    for (const refusal of refused) expect(refusal).toMatchObject(noScope);
    clock += FRESH_PROOF_MS + 1;
    const late = owner.api.call(createToken, { name: "late", scopes: ["read"] });
    expect(await refusalOf(late)).toMatchObject({ status: 403, code: "fresh_proof_required" });
    // What cannot be undone takes a proof of the person, whatever the scope.
    const fresh = await h.login(owner.nickname);
    const deleter = await tokenOf(fresh, { scopes: ["profile.deleteAccount"] });
    expect(await refusalOf(deleter.api.call(contract.profile.deleteAccount, {}))).toMatchObject({
      code: "fresh_proof_required",
    });
    expect(await fresh.api.call(contract.auth.endOtherSessions, {})).toMatchObject({ ended: 3 });
    expect((await h.send("GET", "/api/auth/session", { token })).status).toBe(401);
  });

  it("400 for a scope that does not exist, or that no token can have", async () => {
    const owner = await signIn(h);
    for (const scope of [
      "everything",
      "auth.refresh",
      "auth.createToken",
      "anonymous.post",
      "service.health",
    ]) {
      const call = owner.api.call(createToken, { name: "x", scopes: ["read", scope] });
      expect(await refusalOf(call)).toMatchObject({
        status: 400,
        code: "invalid_request",
        field: "scopes.1",
      });
    }
  });

  it("of many made at once there are three", async () => {
    const owner = await signIn(h);
    const made = await Promise.allSettled(
      Array.from({ length: 12 }, () => tokenOf(owner, { scopes: ["read"] })),
    );
    const refused = made.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
    expect(refused).toHaveLength(12 - LIMITS.automation.tokens);
    for (const reason of refused) expect(reason).toMatchObject({ status: 409, code: "too_many_tokens" });
    const { tokens: listed } = await owner.api.call(tokens, {});
    expect(listed).toHaveLength(LIMITS.automation.tokens);
    await owner.api.call(revokeToken, { tokenId: listed[0]?.id ?? "" });
    await tokenOf(owner, { scopes: ["read"] });
  });

  it("spends up to its cap, also when asked many times at once; without a cap nothing", async () => {
    const owner = await signIn(h);
    const { api } = await tokenOf(owner, { scopes: ["read"], spendCap: 500_000 });
    const asked = await Promise.allSettled(
      Array.from({ length: 9 }, () => api.call(spend, { amount: 100_000 })),
    );
    const left = asked.flatMap((one) => (one.status === "fulfilled" ? [one.value.remaining] : []));
    expect(left.toSorted()).toEqual([0, 100_000, 200_000, 300_000, 400_000]);
    expect((await owner.api.call(tokens, {})).tokens[0]).toMatchObject({ spendCap: 500_000, spent: 500_000 });
    expect(await refusalOf(api.call(spend, { amount: 1 }))).toMatchObject({
      ...{ status: 403, code: "spend_cap_reached", field: "amount" },
    });
    const poor = await tokenOf(owner, { scopes: ["read"], spendCap: 0 });
    expect(await refusalOf(poor.api.call(spend, { amount: 1 }))).toMatchObject({ code: "spend_cap_reached" });
    expect(await owner.api.call(spend, { amount: 1 })).toEqual({ remaining: null });
  });

  it("ends with the account, and is refused while its owner is suspended", async () => {
    const owner = await signIn(h);
    const { token } = await tokenOf(owner, { scopes: ["read"] });
    const { identity_hash: hash } = await h.db
      .selectFrom("users")
      .select("identity_hash")
      .where("id", "=", owner.userId)
      .executeTakeFirstOrThrow();
    const sanction = {
      user_id: owner.userId,
      identity_hash: hash ?? "",
      kind: "suspend",
      reason: "r",
      until: null,
    } as const;
    await h.db
      .insertInto("account_sanctions")
      .values({ ...sanction, created_by: owner.userId, created_at: new Date() })
      .execute();
    expect(await h.send("GET", "/api/feed", { token })).toMatchObject({
      status: 403,
      body: { code: "suspended" },
    });
    await h.db.deleteFrom("account_sanctions").execute();
    await owner.api.call(contract.profile.deleteAccount, {});
    expect((await h.send("GET", "/api/feed", { token })).status).toBe(401);
    const left = await h.db
      .selectFrom("automation_tokens")
      .selectAll()
      .where("user_id", "=", owner.userId)
      .execute();
    expect(left).toEqual([]);
  });
});

describe("a token that is limited to topics", () => {
  it("reaches what is in them, and nothing else", async () => {
    const owner = await signIn(h);
    const [here, there] = [await makeTopic(owner), await makeTopic(owner)];
    const [inside, outside] = [await makePost(owner, here.id), await makePost(owner, there.id)];
    const scopes = ["read", "write", "chat", "topics"];
    const { api } = await tokenOf(owner, { scopes, topicIds: [here.id] });
    const { comment } = await api.call(contract.comments.create, { postId: inside.id, content: "here" });
    await api.call(contract.comments.update, { commentId: comment.id, content: "still here" });
    const { message } = await api.call(contract.chat.send, { topicId: here.id, message: "hello" });
    await api.call(contract.chat.update, { messageId: message.id, message: "hello again" });
    await api.call(contract.topics.get, { topicId: here.id });
    expect(await api.call(contract.auth.session, {})).toMatchObject({ automation: { topicIds: [here.id] } });

    const elsewhere = await owner.api.call(contract.comments.create, {
      postId: outside.id,
      content: "there",
    });
    const said = await owner.api.call(contract.chat.send, { topicId: there.id, message: "there" });
    const none = "00000000-0000-4000-8000-000000000000";
    const refused = await Promise.all(
      [
        api.call(contract.posts.get, { postId: outside.id }),
        api.call(contract.posts.get, { postId: none }),
        api.call(contract.posts.create, { topicId: there.id, title: "t", content: "<p>c</p>" }),
        api.call(contract.comments.vote, { commentId: elsewhere.comment.id, value: 1 }),
        api.call(contract.chat.delete, { messageId: said.message.id }),
        api.call(contract.topics.get, { topicId: there.id }),
        // About no topic, or about all.
        api.call(contract.feed.list, {}),
        api.call(contract.search.all, { q: "here", topicId: here.id }),
        api.call(contract.notifications.list, {}),
        api.call(contract.topics.create, { title: "mine", categoryId: general }),
      ].map(refusalOf),
    );
    for (const refusal of refused) expect(refusal).toMatchObject(noScope);
  });
});

describe("what a token wrote", () => {
  it("is marked as automated for everybody: posts, comments and messages, also when a token changed them", async () => {
    const [owner, reader] = [await signIn(h), await signIn(h)];
    const { id: topicId } = await makeTopic(owner);
    await addTo(h.db, topicId, reader);
    const { api } = await tokenOf(owner, { scopes: ["write", "chat"] });
    const written = await api.call(contract.posts.create, {
      topicId,
      title: "t",
      content: "<p>by a program</p>",
    });
    expect(written.post.automated).toBe(true);
    const byHand = await makePost(owner, topicId);
    expect(byHand.automated).toBe(false);
    const programs = await api.call(contract.comments.create, { postId: byHand.id, content: "by a program" });
    const { comment } = await owner.api.call(contract.comments.create, {
      postId: byHand.id,
      content: "by hand",
    });
    const sent = await api.call(contract.chat.send, { topicId, message: "by a program" });
    const { message } = await owner.api.call(contract.chat.send, { topicId, message: "by hand" });

    /** The ids of what a reader sees marked. */
    const marked = async () => {
      const [{ posts }, { comments }, { messages }] = await Promise.all([
        reader.api.call(contract.posts.list, { topicId }),
        reader.api.call(contract.comments.list, { postId: byHand.id }),
        reader.api.call(contract.chat.list, { topicId }),
      ]);
      expect([posts.length, comments.length, messages.length]).toEqual([2, 2, 2]);
      return new Set([...posts, ...comments, ...messages].flatMap((one) => (one.automated ? [one.id] : [])));
    };
    const byProgram = [written.post.id, programs.comment.id, sent.message.id];
    expect(await marked()).toEqual(new Set(byProgram));
    await api.call(contract.posts.update, { postId: byHand.id, title: "changed" });
    await api.call(contract.comments.update, { commentId: comment.id, content: "changed" });
    await api.call(contract.chat.update, { messageId: message.id, message: "changed" });
    const all = new Set([...byProgram, byHand.id, comment.id, message.id]);
    expect(await marked()).toEqual(all);
    // A person's change does not take the mark away.
    await owner.api.call(contract.posts.update, { postId: written.post.id, title: "by hand" });
    expect(await marked()).toEqual(all);
  });
});
