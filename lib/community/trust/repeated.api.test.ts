import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { sweepExpired } from "@/lib/runtime/housekeeping";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { comeBack, identityOf } from "../profile/testing";
import { addTo, general, makePost, signIn } from "../testing";

const hour = 60 * 60 * 1000;
let h: Harness;
let clock = Date.now();
let owner: TestUser;
let topics: string[];
beforeAll(async () => {
  h = await createHarness({ now: () => new Date(clock), env: { SPAM_LIMITS: "on" } });
  owner = await signIn(h, "owner");
  const make = () => owner.api.call(contract.topics.create, { title: "A topic", categoryId: general });
  topics = [(await make()).topic.id, (await make()).topic.id];
});
afterAll(() => h.close());

async function member(): Promise<TestUser> {
  const user = await signIn(h);
  for (const id of topics) await addTo(h.db, id, user);
  return user;
}
const words = "Gold is cheap today, buy it now";
const post = (user: TestUser, text = words, topic = 0) =>
  makePost(user, topics[topic] ?? "", "An offer", `<p>${text}</p>`);
const comment = async (user: TestUser, postId: string, content: string) =>
  (await user.api.call(contract.comments.create, { postId, content })).comment;
/** What a refused call says is there already. */
const earlierOf = async (call: Promise<unknown>) => {
  const refused = await call.catch((error: unknown) => error);
  expect(refused).toMatchObject({ status: 409, code: "duplicate_text" });
  return Object(refused).body.earlier;
};

describe("the same text of one person", () => {
  it("is refused within an hour, in any topic and spelling, and names the earlier one", async () => {
    const user = await member();
    const { id } = await post(user);
    const earlier = { postId: id, commentId: null };
    expect(await earlierOf(post(user))).toEqual(earlier);
    expect(await earlierOf(post(user, "GOLD is cheap\u200b today &mdash; buy it now!", 1))).toEqual(earlier);
    // Others, and other texts, are not concerned.
    await post(await member());
    await post(user, `${words}, or tomorrow`);
    clock += hour;
    await post(user, words, 1);
  });

  it("concerns comments from 20 characters, and shorter ones with a link", async () => {
    const user = await member();
    const { id: postId } = await post(owner, "Where comments are written");
    const said = await comment(user, postId, "I could not agree more with this");
    expect(await earlierOf(comment(user, postId, "i could not agree more with this."))).toEqual({
      postId,
      commentId: said.id,
    });
    await comment(user, postId, "Thank you!");
    await comment(user, postId, "Thank you!");
    await comment(user, postId, "https://a.example");
    await earlierOf(comment(user, postId, "https://a.example"));
  });

  it("may be posted again once its author deleted it, but not once staff did", async () => {
    const user = await member();
    const { id } = await post(user, "Posted in the wrong topic");
    await user.api.call(contract.posts.delete, { postId: id });
    const again = await post(user, "Posted in the wrong topic", 1);
    await owner.api.call(contract.posts.delete, { postId: again.id });
    await earlierOf(post(user, "Posted in the wrong topic"));
  });

  it("passes once of 20 parallel requests", async () => {
    const user = await member();
    const answers = await Promise.allSettled(
      Array.from({ length: 20 }, () => post(user, "All at the same time")),
    );
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  it("is answered again for a retry with the same key", async () => {
    const user = await member();
    const send = () =>
      h.send("POST", `/api/topics/${topics[0]}/posts`, {
        token: user.token,
        headers: { "idempotency-key": "the-same-key-of-a-retry" },
        body: { title: "A retry", content: "<p>after a lost answer</p>" },
      });
    const first = await send();
    expect(first.status).toBe(201);
    expect(await send()).toMatchObject({ status: 201, body: first.body });
  });

  it("is refused in an edit of a post or comment, but not as the text that it already was", async () => {
    const user = await member();
    const first = await post(user, "What was said before an edit");
    const second = await post(user, "Something that is not the same");
    const change = (postId: string, text: string) =>
      user.api.call(contract.posts.update, { postId, title: "An offer", content: `<p>${text}</p>` });
    expect(await earlierOf(change(second.id, "What was said before an EDIT"))).toEqual({
      postId: first.id,
      commentId: null,
    });
    await change(first.id, "What was said before an edit!");
    await change(second.id, "Something that is new by now");
    await earlierOf(post(user, "Something that is new by now", 1));
    const said = await comment(user, first.id, "I could not agree less with this");
    const other = await comment(user, first.id, "I could not agree more often");
    const edit = (content: string) =>
      user.api.call(contract.comments.update, { commentId: other.id, content });
    expect(await earlierOf(edit("I could not agree less, with this"))).toEqual({
      postId: first.id,
      commentId: said.id,
    });
    await edit("I could not agree more often.");
    // A title alone, or tags, repeat nothing.
    await user.api.call(contract.posts.update, { postId: first.id, tags: ["x"] });
  });

  it("is refused in the chat, new and edited, and as a post of the same words never leads to the message", async () => {
    const user = await member();
    const topicId = topics[0] ?? "";
    const say = async (message: string) =>
      (await user.api.call(contract.chat.send, { topicId, message })).message;
    const { id } = await say("Gold for everyone in this chat");
    expect(await earlierOf(say("gold for everyone in this chat!"))).toEqual({
      postId: null,
      commentId: null,
    });
    const other = await say("Silver for everyone in this chat");
    const edit = (message: string) => user.api.call(contract.chat.update, { messageId: other.id, message });
    await earlierOf(edit("Gold for everyone in this chat"));
    await edit("Silver for everyone in this chat!");
    await say("Thank you!");
    await say("Thank you!");
    await user.api.call(contract.chat.delete, { messageId: id });
    await say("Gold for everyone in this chat");
  });

  it("is not forgotten by withdrawing, but no longer leads to what was written", async () => {
    const user = await member();
    await post(user, "Said before and after withdrawing");
    const identity = await identityOf(h, user);
    await user.api.call(contract.profile.deleteAccount, {});
    const back = await comeBack(h, identity);
    await addTo(h.db, topics[0] ?? "", back);
    expect(await earlierOf(post(back, "Said before and after withdrawing"))).toEqual({
      postId: null,
      commentId: null,
    });
    clock += 25 * hour;
    await sweepExpired(h.services);
    expect(await h.db.selectFrom("recent_texts").select("text_hash").execute()).toEqual([]);
  });
});
