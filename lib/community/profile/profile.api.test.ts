import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { dataUri, png } from "@/lib/testing/images";
import { makePost, makeTopic, refusalOf, signIn, verified } from "../testing";
import { storeImages } from "../uploads/store";

let h: Harness;
let ada: TestUser;
let clock = Date.now();
beforeAll(async () => {
  h = await createHarness({ now: () => new Date(clock) });
  ada = await signIn(h, "ada");
});
afterAll(() => h.close());

const { profile } = contract;
const days = 24 * 60 * 60 * 1000;

describe("the profile image", () => {
  const get = async (user: TestUser) => (await user.api.call(profile.getImage, {})).profileImage;
  const set = (user: TestUser, imageUrl: string) => user.api.call(profile.setImage, { imageUrl });
  const served = async (url: string) => (await h.fetch(url)).status === 200;
  async function uploaded(user: TestUser, purpose: "post" | "avatar" = "avatar") {
    const as = await h.memberContext(user.token);
    const [key = ""] = await storeImages(as, purpose, [png()], "file");
    return h.services.storage.publicUrl(key);
  }

  it("is none, then an upload, then none; unused files are deleted", async () => {
    const user = await signIn(h);
    expect(await get(user)).toBeNull();
    const [first, second] = [await uploaded(user), await uploaded(user)];
    expect(await set(user, first)).toEqual({ success: true, profileImage: first });
    expect(await set(user, first)).toEqual({ success: true, profileImage: first });
    expect([await get(user), await served(first)]).toEqual([first, true]);
    expect(await set(user, new URL(second).pathname)).toEqual({ success: true, profileImage: second });
    await h.idle();
    expect([await get(user), await served(first), await served(second)]).toEqual([second, false, true]);
    expect(await user.api.call(profile.deleteImage, {})).toEqual({ success: true });
    await h.idle();
    expect([await get(user), await served(second)]).toEqual([null, false]);
    expect(await user.api.call(profile.deleteImage, {})).toEqual({ success: true });
  });

  it("is the caller's own upload for this purpose, and nothing else", async () => {
    const eve = await signIn(h, "eve");
    const { publicUrl } = await ada.api.call(contract.uploads.create, {
      filename: "a.png",
      contentType: "image/png",
      size: 10,
      purpose: "avatar",
    });
    const own = await uploaded(ada);
    for (const imageUrl of [
      await uploaded(eve),
      await uploaded(ada, "post"),
      publicUrl,
      own.replace(/[0-9a-f-]{36}/, "0b8f2b5e-9a3c-4a50-8b1f-0c2d5a4f7e61"),
      own.replace("localhost", "evil.example"),
      own.replace(ada.userId, `${eve.userId}/../../avatars/${eve.userId}`),
      "https://elsewhere.example/a.png",
      dataUri(png()),
      "javascript:alert(1)",
    ]) {
      expect(await refusalOf(set(ada, imageUrl)), imageUrl).toEqual({
        status: 400,
        code: "not_your_upload",
        field: "imageUrl",
      });
    }
    expect(await get(ada)).toBeNull();
  });

  it("401 for guests, 403 to change it without a nickname, 400 without an address", async () => {
    for (const method of ["GET", "PUT", "DELETE"]) {
      expect(
        (await h.send(method, "/api/profile/image", { body: method === "PUT" ? {} : undefined })).status,
      ).toBe(401);
    }
    const nobody = await h.login();
    expect(await get(nobody)).toBeNull();
    expect(await refusalOf(set(nobody, "x"))).toMatchObject({ status: 403, code: "nickname_required" });
    expect(await refusalOf(nobody.api.call(profile.deleteImage, {}))).toMatchObject({
      code: "nickname_required",
    });
    const empty = await h.send("PUT", "/api/profile/image", { token: ada.token, body: {} });
    expect(empty).toMatchObject({ status: 400, body: { field: "imageUrl" } });
  });
});

/** Verifications of a user at these moments, oldest first; each lives for 30 days. */
async function proven(
  user: TestUser,
  ...facts: (Parameters<typeof verified>[2] & { readonly daysAgo?: number })[]
) {
  for (const { daysAgo = 0, ...fact } of facts) {
    const at = new Date(clock - daysAgo * days);
    await verified(h, user, { ...fact, expiresAt: new Date(at.getTime() + 30 * days) });
    await h.db
      .updateTable("verifications")
      .set({ verified_at: at })
      .where("user_id", "=", user.userId)
      .where("expires_at", "=", new Date(at.getTime() + 30 * days))
      .execute();
  }
}

describe("domain badges", () => {
  const get = (user: TestUser) => user.api.call(profile.getDomainBadges, {});
  const add = (user: TestUser) => user.api.call(profile.addDomainBadge, {});
  const remove = (user: TestUser, domain?: string) => user.api.call(profile.removeDomainBadge, { domain });

  it("show what was proven last, and several when asked several times", async () => {
    const user = await signIn(h);
    await proven(user, { domain: "old.example", daysAgo: 5 }, { domain: "acme.example", daysAgo: 3 });
    expect(await get(user)).toEqual({ domains: [], limited: [], availableDomain: "acme.example" });
    expect(await add(user)).toEqual({ success: true, domain: "acme.example", domains: ["acme.example"] });
    expect(await get(user)).toEqual({ domains: ["acme.example"], limited: [], availableDomain: null });
    // A call sent twice publishes nothing more.
    expect(await add(user)).toEqual({ success: true, domain: "acme.example", domains: ["acme.example"] });
    clock += 1000;
    await proven(user, { domain: "beta.example" });
    expect(await add(user)).toMatchObject({
      domain: "beta.example",
      domains: ["acme.example", "beta.example"],
    });
    expect(await remove(user, " ACME.example ")).toEqual({ success: true, domains: ["beta.example"] });
    expect(await remove(user, "never.example")).toEqual({ success: true, domains: ["beta.example"] });
    await proven(user, { domain: "gamma.example" });
    await add(user);
    expect(await remove(user)).toEqual({ success: true, domains: [] });
    expect(await get(user)).toEqual({ domains: [], limited: [], availableDomain: expect.any(String) });
    const kept = await h.db
      .selectFrom("verifications")
      .select("id")
      .where("user_id", "=", user.userId)
      .execute();
    expect(kept).toHaveLength(4);
  });

  it("400 no_verified_domain: nothing, expired, a consumer domain, another kind of proof, another user's", async () => {
    const user = await signIn(h);
    expect(await get(user)).toEqual({ domains: [], limited: [], availableDomain: null });
    const refused = { status: 400, code: "no_verified_domain", field: undefined };
    expect(await refusalOf(add(user))).toEqual(refused);
    await proven(
      user,
      { domain: "late.example", daysAgo: 31 },
      { domain: "gmail.com", daysAgo: 1 },
      { daysAgo: 2 },
      { circuit: "network_eligibility" },
    );
    await proven(ada, { domain: "hers.example" });
    expect(await refusalOf(add(user))).toEqual(refused);
    expect(await get(user)).toEqual({ domains: [], limited: [], availableDomain: null });
  });

  it("appear beside the name in posts, comments and members, until the proof expires or the comment is deleted", async () => {
    const user = await signIn(h);
    await proven(user, { domain: "acme.example", daysAgo: 2 });
    await add(user);
    const { id: topicId } = await makeTopic(user);
    const post = await makePost(user, topicId);
    const { comment } = await user.api.call(contract.comments.create, { postId: post.id, content: "And I." });
    expect([post.authorDomains, comment.authorDomains]).toEqual([["acme.example"], ["acme.example"]]);
    const read = async () => {
      const page = await ada.api.call(contract.posts.get, { postId: post.id });
      const { members } = await user.api.call(contract.members.list, { topicId });
      return [page.post.authorDomains, page.comments[0]?.authorDomains, members[0]?.domains];
    };
    expect(await read()).toEqual([["acme.example"], ["acme.example"], ["acme.example"]]);
    await user.api.call(contract.comments.delete, { commentId: comment.id });
    expect(await read()).toEqual([["acme.example"], [], ["acme.example"]]);
    await h.db
      .updateTable("verifications")
      .set({ expires_at: new Date(0) })
      .where("user_id", "=", user.userId)
      .execute();
    expect(await read()).toEqual([[], [], []]);
  });

  it("appear in one topic only, or beside what is new only, and the preview names every place", async () => {
    const user = await signIn(h);
    await proven(user, { domain: "acme.example", daysAgo: 2 });
    const preview = () => user.api.call(profile.previewDomainBadge, {});
    expect(await preview()).toEqual({ domain: "acme.example", topics: [] });
    const [here, there] = [await makeTopic(user), await makeTopic(user, "private")];
    const old = await makePost(user, here.id);
    const said = await user.api.call(contract.chat.send, { topicId: here.id, message: "Old." });
    const gone = await makePost(user, here.id);
    await user.api.call(contract.posts.delete, { postId: gone.id });
    await user.api.call(contract.comments.create, { postId: old.id, content: "And I." });
    const place = ({ id: topicId, title }: { id: string; title: string }) => ({
      topicId,
      title,
      isMember: true,
    });
    expect((await preview()).topics).toEqual([
      { ...place(here), visibility: "public", posts: 1, comments: 1 },
      { ...place(there), visibility: "private", posts: 0, comments: 0 },
    ]);

    const show = (limit: { topicId?: string; onlyNew?: boolean }) =>
      user.api.call(profile.addDomainBadge, limit);
    const stranger = await makeTopic(ada, "private");
    expect(await refusalOf(show({ topicId: stranger.id }))).toMatchObject({
      status: 403,
      code: "not_a_member",
    });
    clock += 1000;
    expect(await show({ topicId: here.id, onlyNew: true })).toMatchObject({ domains: [] });
    const limit = { domain: "acme.example", topicId: here.id, topicTitle: here.title };
    expect(await get(user)).toEqual({
      domains: [],
      limited: [{ ...limit, since: new Date(clock).toISOString() }],
      availableDomain: "acme.example",
    });
    clock += 1000;
    const shown = async (topicId: string) => {
      const post = await makePost(user, topicId);
      const { comment } = await user.api.call(contract.comments.create, { postId: post.id, content: "New." });
      const { message } = await user.api.call(contract.chat.send, { topicId, message: "New." });
      const { messages } = await user.api.call(contract.chat.list, { topicId, limit: 1 });
      expect(messages).toEqual([{ ...message, isFolded: false }]);
      const { members } = await user.api.call(contract.members.list, { topicId });
      const { person } = await ada.api.call(contract.people.get, { nickname: user.nickname });
      const written = [post, comment, message].map(({ authorDomains }) => authorDomains);
      return [...written, members[0]?.domains, person.seals].map((shown) => shown?.length);
    };
    const ofOld = async () => {
      const { messages } = await user.api.call(contract.chat.list, { topicId: here.id });
      const { post } = await ada.api.call(contract.posts.get, { postId: old.id });
      expect(messages.find(({ id }) => id === said.message.id)?.authorDomains).toEqual(post.authorDomains);
      return post.authorDomains;
    };
    expect([await shown(here.id), await shown(there.id), await ofOld()]).toEqual([
      [1, 1, 1, 1, 0],
      [0, 0, 0, 0, 0],
      [],
    ]);
    // In every topic from now on.
    await show({ onlyNew: true });
    clock += 1000;
    expect([await shown(here.id), await shown(there.id), await ofOld()]).toEqual([
      [1, 1, 1, 1, 1],
      [1, 1, 1, 1, 1],
      [],
    ]);
    // Beside what is old too, in one topic; asking for less takes nothing away.
    await show({ topicId: here.id });
    await show({ topicId: here.id, onlyNew: true });
    expect([await ofOld(), (await get(user)).limited.map(({ since }) => since === null)]).toEqual([
      ["acme.example"],
      [true, false],
    ]);
    // Everywhere: the limits are gone, and hiding it leaves nothing.
    expect(await show({})).toMatchObject({ domains: ["acme.example"] });
    expect((await get(user)).limited).toEqual([]);
    await show({ onlyNew: true });
    await remove(user, "acme.example");
    expect([await ofOld(), await get(user)]).toEqual([
      [],
      { domains: [], limited: [], availableDomain: "acme.example" },
    ]);
  });

  it("do not tell the title of a secret topic to those who left it", async () => {
    const user = await signIn(h);
    await proven(user, { domain: "acme.example", daysAgo: 2 });
    const topic = await makeTopic(ada, "secret");
    await user.api.call(contract.topics.joinByInvite, { inviteCode: topic.inviteCode ?? "" });
    await makePost(user, topic.id);
    await user.api.call(profile.addDomainBadge, { topicId: topic.id });
    const titles = async () => [
      (await user.api.call(profile.previewDomainBadge, {})).topics.map(({ title }) => title),
      (await get(user)).limited.map(({ topicTitle }) => topicTitle),
    ];
    expect(await titles()).toEqual([[topic.title], [topic.title]]);
    await user.api.call(contract.topics.leave, { topicId: topic.id });
    expect(await titles()).toEqual([[null], [null]]);
  });

  it("disappear once the proof is 30 days old, and reappear with a new proof", async () => {
    const user = await signIn(h);
    await proven(user, { domain: "acme.example", daysAgo: 30 - 0.001 });
    await add(user);
    expect(await get(user)).toEqual({ domains: ["acme.example"], limited: [], availableDomain: null });
    clock += 0.002 * days;
    expect(await get(user)).toEqual({ domains: [], limited: [], availableDomain: null });
    await proven(user, { domain: "acme.example" });
    expect(await get(user)).toEqual({ domains: ["acme.example"], limited: [], availableDomain: null });
  });

  it("401 for guests, 403 to change them without a nickname", async () => {
    for (const method of ["GET", "POST", "DELETE"]) {
      expect((await h.send(method, "/api/profile/domain-badge")).status).toBe(401);
    }
    const nobody = await h.login();
    expect(await get(nobody)).toMatchObject({ domains: [] });
    expect(await refusalOf(add(nobody))).toMatchObject({ status: 403, code: "nickname_required" });
    expect(await refusalOf(remove(nobody))).toMatchObject({ status: 403, code: "nickname_required" });
    const bad = await h.send("DELETE", "/api/profile/domain-badge", {
      token: ada.token,
      body: { domain: 1 },
    });
    expect(bad).toMatchObject({ status: 400, body: { field: "domain" } });
  });
});

describe("badges", () => {
  it("are one per kind, the youngest, for 30 days, in milliseconds", async () => {
    const user = await signIn(h);
    const get = async () => (await user.api.call(profile.getBadges, {})).badges;
    expect(await get()).toEqual([]);
    await proven(
      user,
      { circuit: "network_eligibility", daysAgo: 31 },
      { domain: "a.example", daysAgo: 9 },
      { domain: "b.example", daysAgo: 8 },
      { circuit: "partner_country_attestation", countries: ["DE"], daysAgo: 4 },
      { daysAgo: 2 },
      { circuit: "network_eligibility", daysAgo: 1 },
    );
    const badge = (type: string, daysAgo: number) => ({
      type,
      verifiedAt: clock - daysAgo * days,
      expiresAt: clock + (30 - daysAgo) * days,
    });
    expect(await get()).toEqual([
      badge("kyc", 1),
      badge("oidc_login", 2),
      badge("country", 4),
      badge("oidc_domain", 8),
    ]);
    expect((await h.send("GET", "/api/profile/badges")).status).toBe(401);
  });
});
