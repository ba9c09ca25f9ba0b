import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { LIMITS } from "@/lib/contract/limits";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { comeBack, identityOf } from "../profile/testing";
import { addTo, clientWith, freshName, general, makePost, refusalOf, signIn } from "../testing";

const day = 24 * 60 * 60 * 1000;
let h: Harness;
let offset = 0;
let owner: TestUser;
let topicId: string;
beforeAll(async () => {
  h = await createHarness({ now: () => new Date(Date.now() + offset), env: { SPAM_LIMITS: "on" } });
  owner = await signIn(h, "owner");
  topicId = (await makeTopicOf(owner)).id;
});
afterAll(() => h.close());

const makeTopicOf = async (user: TestUser) =>
  (await user.api.call(contract.topics.create, { title: "A topic", categoryId: general })).topic;
async function newMember(): Promise<TestUser> {
  const user = await signIn(h, "newcomer");
  await addTo(h.db, topicId, user);
  return user;
}
let texts = 0;
/** A text that nobody wrote before. */
const fresh = (text = "") => `${text} number ${++texts} of the texts of this file`;
const html = (text: string) => `<p>${fresh(text)}</p>`;
const links = (count: number) => Array.from({ length: count }, (_, i) => `https://a.example/${i}`).join(" ");
const post = (user: TestUser, content: string) => makePost(user, topicId, fresh(), content);
const comment = (user: TestUser, postId: string, content: string) =>
  user.api.call(contract.comments.create, { postId, content });
const limitsOf = async (user: TestUser) => (await user.api.call(contract.profile.getLimits, {})).newAccount;
/** As if the user had signed up that long ago. */
const age = (user: TestUser, ms: number) =>
  sql`update users set created_at = ${new Date(h.services.now().getTime() - ms)}
    where id = ${user.userId}`.execute(h.db);
const kindsOver: readonly [string, (user: TestUser) => Promise<unknown>][] = [
  ["links", (user) => post(user, html(links(LIMITS.newAccount.links + 1)))],
  [
    "images",
    (user) =>
      post(
        user,
        html("") + '<img src="https://a.example/a.png" alt="">'.repeat(LIMITS.newAccount.images + 1),
      ),
  ],
  [
    "mentions",
    (user) =>
      post(
        user,
        html(Array.from({ length: LIMITS.newAccount.mentions + 1 }, () => `@${freshName()}`).join(" ")),
      ),
  ],
];

describe("a new account", () => {
  it.each(kindsOver)(
    "403 new_account_limit for more %s than it may, with the limit and its end",
    async (kind, act) => {
      const user = await newMember();
      const refused = await act(user).catch((error: unknown) => error);
      expect(refused).toMatchObject({
        status: 403,
        code: "new_account_limit",
        body: { limit: { kind }, until: expect.any(String), acceptedMissing: 3 },
      });
    },
  );

  it("may write up to the limits, in posts and comments, and not exceed them by editing", async () => {
    const user = await newMember();
    const { id: postId } = await post(user, html(links(LIMITS.newAccount.links)));
    const edit = (content: string) => user.api.call(contract.posts.update, { postId, content });
    await edit(html(links(LIMITS.newAccount.links)));
    expect(await refusalOf(edit(html(links(3))))).toMatchObject({ code: "new_account_limit" });
    // Pictures and videos beside the text count with it.
    const videos = ["https://youtu.be/abc"];
    expect(
      await refusalOf(user.api.call(contract.posts.update, { postId, media: { videos } })),
    ).toMatchObject({ code: "new_account_limit" });
    const { comment: said } = await comment(user, postId, fresh(links(2)));
    expect(await refusalOf(comment(user, postId, fresh(links(3))))).toMatchObject({
      code: "new_account_limit",
    });
    const message = fresh(links(3));
    expect(await refusalOf(user.api.call(contract.chat.send, { topicId, message }))).toMatchObject({
      code: "new_account_limit",
    });
    const change = { commentId: said.id, content: fresh(links(3)) };
    expect(await refusalOf(user.api.call(contract.comments.update, change))).toMatchObject({
      code: "new_account_limit",
    });
  });

  it("is established with its age and three accepted posts or comments, not with one of both", async () => {
    const user = await newMember();
    await age(user, day);
    expect(await limitsOf(user)).toMatchObject({ until: null, acceptedMissing: 3 });
    const { id: postId } = await post(user, html(""));
    for (let i = 0; i < 2; i += 1) await comment(user, postId, fresh());
    expect(await limitsOf(user)).toBeNull();
    await post(user, html(links(10)));

    const young = await newMember();
    for (let i = 0; i < 3; i += 1) await post(young, html(""));
    expect(await limitsOf(young)).toMatchObject({ until: expect.any(String), acceptedMissing: 0 });
    expect(await refusalOf(post(young, html(links(3))))).toMatchObject({ code: "new_account_limit" });
  });

  it("does not count what staff hid or deleted as accepted", async () => {
    const user = await newMember();
    await age(user, day);
    const posts = [];
    for (let i = 0; i < 3; i += 1) posts.push(await post(user, html("")));
    const { id: postId } = await post(owner, html(""));
    const { comment: said } = await comment(user, postId, fresh());
    const [hidden, deleted, own] = posts.map(({ id }) => id);
    await owner.api.call(contract.moderation.hidePost, { postId: hidden ?? "", hidden: true });
    expect(await limitsOf(user)).toBeNull();
    await owner.api.call(contract.posts.delete, { postId: deleted ?? "" });
    expect(await limitsOf(user)).toMatchObject({ acceptedMissing: 1 });
    await owner.api.call(contract.comments.delete, { commentId: said.id });
    expect(await limitsOf(user)).toMatchObject({ acceptedMissing: 2 });
    // What they deleted themselves was accepted.
    await user.api.call(contract.posts.delete, { postId: own ?? "" });
    expect(await limitsOf(user)).toMatchObject({ acceptedMissing: 2 });
  });

  it("creates three topics a day, in parallel too, and withdrawing does not reset them", async () => {
    const user = await signIn(h, "founder");
    const answers = await Promise.allSettled(Array.from({ length: 20 }, () => makeTopicOf(user)));
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    for (const answer of answers) {
      if (answer.status === "rejected") expect(answer.reason).toMatchObject({ code: "new_account_limit" });
    }
    expect(await limitsOf(user)).toMatchObject({ topicsPerDay: 3, topicsLeft: 0 });
    for (const answer of answers) {
      if (answer.status === "fulfilled") {
        await user.api.call(contract.topics.delete, { topicId: answer.value.id });
      }
    }
    const identity = await identityOf(h, user);
    await user.api.call(contract.profile.deleteAccount, {});
    const back = await comeBack(h, identity);
    expect(await refusalOf(makeTopicOf(back))).toMatchObject({ code: "new_account_limit" });
    offset += day;
    await makeTopicOf(await h.login(back.nickname));
    offset -= day;
  });

  it("a global admin and an installation without such limits have none", async () => {
    const user = await newMember();
    const admin = clientWith(h, user, { adminUserIds: new Set([user.userId]) });
    expect((await admin.call(contract.profile.getLimits, {})).newAccount).toBeNull();
    const off = await createHarness();
    expect(await limitsOf(await signIn(off))).toBeNull();
    await off.close();
  });
});
