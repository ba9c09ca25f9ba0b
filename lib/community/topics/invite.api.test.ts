import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import {
  acceptorOf,
  addTo,
  clientWith,
  gate,
  makeTopic,
  refusalOf,
  signIn,
  someProof,
  verified,
} from "../testing";
import { inviteTokenHash } from "./invite-code";

let h: Harness;
let owner: TestUser;
beforeAll(async () => {
  h = await createHarness();
  owner = await signIn(h, "owner");
});
afterAll(() => h.close());

async function secretTopic() {
  const topic = await makeTopic(owner, "secret");
  return { topicId: topic.id, inviteCode: topic.inviteCode ?? expect.fail("the owner sees the code") };
}

/** A token as issuing one leaves it. */
async function tokenFor(topicId: string, state: { expired?: boolean; used?: boolean } = {}): Promise<string> {
  const token = randomUUID().replaceAll("-", "").slice(0, 16);
  await h.db
    .insertInto("invite_tokens")
    .values({
      token_hash: inviteTokenHash(token),
      topic_id: topicId,
      issued_by: owner.userId,
      expires_at: new Date(Date.now() + (state.expired ? -1 : 3_600_000)),
      used_at: state.used ? new Date() : null,
    })
    .execute();
  return token;
}

const look = (user: TestUser, inviteCode: string) => user.api.call(contract.topics.getInvite, { inviteCode });
const enter = (user: TestUser, inviteCode: string) =>
  user.api.call(contract.topics.joinByInvite, { inviteCode });

describe("GET 200", () => {
  it("shows what a code or a token leads to, a secret topic too", async () => {
    const { topicId, inviteCode } = await secretTopic();
    const user = await signIn(h);
    const shown = {
      topic: {
        id: topicId,
        title: "A topic",
        description: null,
        requiresCountryProof: false,
        allowedCountries: null,
        excludedCountries: null,
        proofType: "none",
        requiredDomain: null,
        visibility: "secret",
        memberCount: 1,
        reproveDays: null,
        rules: null,
      },
      isMember: false,
    };
    expect(await look(user, inviteCode)).toEqual(shown);
    expect(await look(user, inviteCode.toLowerCase())).toEqual(shown);
    expect(await look(user, await tokenFor(topicId))).toEqual(shown);
    expect(await look(owner, inviteCode)).toEqual({ ...shown, isMember: true });
  });

  it("names the proof a gate will ask for", async () => {
    const { topicId, inviteCode } = await secretTopic();
    await gate(h.db, topicId, "workspace", { domain: "example.com" });
    const { proofRequirement } = await look(await signIn(h), inviteCode);
    expect(proofRequirement?.domain).toBe("example.com");
    expect(proofRequirement?.proofEndpoint.agent.joinEndpoint.url).toMatch(`/api/topics/join/${inviteCode}`);
  });
});

describe("POST 201", () => {
  it("enters private and secret topics alike, and is counted", async () => {
    for (const visibility of ["public", "private", "secret"] as const) {
      const topic = await makeTopic(owner, visibility);
      const user = await signIn(h);
      expect(await enter(user, topic.inviteCode ?? "")).toEqual({ success: true, topicId: topic.id });
      expect((await user.api.call(contract.topics.get, { topicId: topic.id })).topic.memberCount).toBe(2);
    }
  });

  it("consumes a token with its first use", async () => {
    const { topicId } = await secretTopic();
    const token = await tokenFor(topicId);
    await enter(await signIn(h), token);
    const late = await signIn(h);
    expect(await refusalOf(enter(late, token))).toMatchObject({ status: 404, code: "invite_not_found" });
    expect(await refusalOf(look(late, token))).toMatchObject({ status: 404, code: "invite_not_found" });
  });

  it("passes a gate by a proof in the body or a kept verification", async () => {
    const { topicId, inviteCode } = await secretTopic();
    await gate(h.db, topicId, "workspace", { domain: "example.com" });
    const [withProof, withVerification] = [await signIn(h), await signIn(h)];
    const { acceptProof, timesConsumed } = acceptorOf({ domain: "example.com" });
    const api = clientWith(h, withProof, { acceptProof });
    await api.call(contract.topics.joinByInvite, { inviteCode, ...someProof });
    expect(timesConsumed()).toBe(1);
    await verified(h, withVerification, { domain: "example.com" });
    await enter(withVerification, inviteCode);
  });

  it("answers a request that was waiting", async () => {
    const topic = await makeTopic(owner, "private");
    const user = await signIn(h);
    await user.api.call(contract.topics.join, { topicId: topic.id });
    await enter(user, topic.inviteCode ?? "");
    const requests = await h.db
      .selectFrom("join_requests")
      .select("status")
      .where("topic_id", "=", topic.id)
      .execute();
    expect(requests).toEqual([{ status: "approved" }]);
  });
});

describe("403", () => {
  it("a gate without a proof, with its requirements; the token stays valid", async () => {
    const { topicId } = await secretTopic();
    await gate(h.db, topicId, "workspace", { domain: "example.com" });
    const token = await tokenFor(topicId);
    const user = await signIn(h);
    const answer = await h.send("POST", `/api/topics/join/${token}`, { token: user.token });
    expect(answer.status).toBe(403);
    expect(answer.body).toMatchObject({
      code: "proof_required",
      proofRequirement: { domain: "example.com" },
    });
    await verified(h, user, { domain: "example.com" });
    expect(await enter(user, token)).toEqual({ success: true, topicId });
  });

  it("a user without nickname may look but not enter", async () => {
    const { inviteCode } = await secretTopic();
    const fresh = await h.login();
    expect((await look(fresh, inviteCode)).isMember).toBe(false);
    expect(await refusalOf(enter(fresh, inviteCode))).toMatchObject({
      status: 403,
      code: "nickname_required",
    });
  });
});

describe("409", () => {
  it("a member, whose token stays valid for someone else", async () => {
    const { topicId } = await secretTopic();
    const token = await tokenFor(topicId);
    expect(await refusalOf(enter(owner, token))).toMatchObject({ status: 409, code: "already_member" });
    expect(await enter(await signIn(h), token)).toEqual({ success: true, topicId });
  });

  it("a second account with the same identity, whose token stays good", async () => {
    const { topicId, inviteCode } = await secretTopic();
    await gate(h.db, topicId, "workspace", { domain: "example.com" });
    const token = await tokenFor(topicId);
    const [first, second, third] = [await signIn(h), await signIn(h), await signIn(h)];
    const identityHash = randomUUID();
    await verified(h, first, { domain: "example.com", identityHash });
    await verified(h, second, { domain: "example.com", identityHash });
    await verified(h, third, { domain: "example.com" });
    await enter(first, inviteCode);
    expect(await refusalOf(enter(second, token))).toMatchObject({ status: 409, code: "proof_used" });
    expect(await enter(third, token)).toEqual({ success: true, topicId });
  });
});

describe("404 and 401", () => {
  it.each(["ABCDEFGH", "0123456789abcdef", "x", "%00", "' or 1=1 --", "join"])("%s", async (inviteCode) => {
    const user = await signIn(h);
    for (const method of ["GET", "POST"]) {
      const answer = await h.send(method, `/api/topics/join/${encodeURIComponent(inviteCode)}`, {
        token: user.token,
      });
      expect([answer.status, Object(answer.body).code], method).toEqual([404, "invite_not_found"]);
    }
  });

  it("an expired and a used token", async () => {
    const { topicId } = await secretTopic();
    const user = await signIn(h);
    for (const state of [{ expired: true }, { used: true }]) {
      const token = await tokenFor(topicId, state);
      expect(await refusalOf(look(user, token))).toMatchObject({ status: 404, code: "invite_not_found" });
      expect(await refusalOf(enter(user, token))).toMatchObject({ status: 404, code: "invite_not_found" });
    }
  });

  it("a guest, whatever the code", async () => {
    const { inviteCode } = await secretTopic();
    for (const code of [inviteCode, "ABCDEFGH"]) {
      for (const method of ["GET", "POST"]) {
        expect((await h.send(method, `/api/topics/join/${code}`)).status).toBe(401);
      }
    }
  });
});

describe("security F13: an invite code", () => {
  const codeOf = async (topicId: string) =>
    (await owner.api.call(contract.topics.get, { topicId })).topic.inviteCode ?? expect.fail("no code");
  const renew = (user: TestUser, topicId: string) =>
    user.api.call(contract.topics.renewInviteCode, { topicId });
  const gone = { status: 404, code: "invite_not_found" };

  it("is replaced by owner and admins, and the old one opens nothing", async () => {
    const { topicId, inviteCode: old } = await secretTopic();
    const [admin, member, stranger] = [await signIn(h), await signIn(h), await signIn(h)];
    await addTo(h.db, topicId, admin, "admin");
    await addTo(h.db, topicId, member);
    for (const staff of [owner, admin]) {
      const before = await codeOf(topicId);
      const { inviteCode } = await renew(staff, topicId);
      expect([await codeOf(topicId), inviteCode === before]).toEqual([inviteCode, false]);
    }
    expect(await refusalOf(look(stranger, old))).toMatchObject(gone);
    expect(await refusalOf(enter(stranger, old))).toMatchObject(gone);
    await enter(stranger, await codeOf(topicId));
    expect(await refusalOf(renew(member, topicId))).toMatchObject({ status: 403, code: "role_required" });
    expect(await refusalOf(renew(await signIn(h), topicId))).toMatchObject({
      status: 403,
      code: "not_a_member",
    });
    const { entries } = await owner.api.call(contract.moderation.log, { topicId });
    expect(entries.map(({ action }) => action)).toEqual(["invite_code_changed", "invite_code_changed"]);
  });

  it.each(["removed", "banned"])(
    "changes by itself when somebody is %s, whose own links end too",
    async (how) => {
      const { topicId, inviteCode: old } = await secretTopic();
      const [leaker, stranger] = [await signIn(h), await signIn(h)];
      await addTo(h.db, topicId, leaker);
      const { token } = await leaker.api.call(contract.topics.createInvite, { topicId });
      const kept = await owner.api.call(contract.topics.createInvite, { topicId });
      const about = { topicId, userId: leaker.userId, reason: "r" };
      if (how === "removed") await owner.api.call(contract.members.remove, about);
      else await owner.api.call(contract.moderation.sanction, { ...about, kind: "ban" });
      for (const passedOn of [old, token]) {
        expect(await refusalOf(enter(stranger, passedOn))).toMatchObject(gone);
      }
      expect(await codeOf(topicId)).not.toBe(old);
      await enter(stranger, kept.token);
    },
  );

  it("that is replaced during a join no longer lets the user in", async () => {
    const { topicId, inviteCode } = await secretTopic();
    await gate(h.db, topicId, "kyc");
    const acceptor = acceptorOf({ circuit: "network_eligibility" });
    const acceptProof: typeof acceptor.acceptProof = async (...args) => {
      await renew(owner, topicId);
      return await acceptor.acceptProof(...args);
    };
    const api = clientWith(h, await signIn(h), { acceptProof });
    const joining = api.call(contract.topics.joinByInvite, { inviteCode, ...someProof });
    expect(await refusalOf(joining)).toMatchObject(gone);
    expect([acceptor.asked.length, acceptor.timesConsumed()]).toEqual([1, 0]);
  });
});
