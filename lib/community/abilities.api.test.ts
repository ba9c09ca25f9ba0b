import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ApiError } from "@/lib/client";
import { contract } from "@/lib/contract";
import { ABILITIES, type Ability } from "@/lib/contract/abilities";
import type { TestUser } from "@/lib/testing/harness";
import { impose, report } from "./moderation/testing";
import { globalAdmin } from "./posts/testing";
import { addTo, createCast, makePost, signIn } from "./testing";

/*
 * What a view says its reader may do is what the operations let them do: of every ability, the operation is allowed
 * where the view lists it and refused where it does not.
 */

type Cast = Awaited<ReturnType<typeof createCast>>;
let cast: Cast;
let readers: Record<(typeof NAMES)[number], TestUser>;
const NAMES = ["owner", "admin", "member", "author", "muted", "former", "outsider", "globalAdmin"] as const;

beforeAll(async () => {
  cast = await createCast();
  const { h, owner, admin, member, outsider } = cast;
  readers = {
    owner,
    admin,
    member,
    outsider,
    author: await signIn(h, "author"),
    muted: await signIn(h, "muted"),
    former: await signIn(h, "former"),
    globalAdmin: await asGlobalAdmin(),
  };
});
afterAll(() => cast.h.close());

async function asGlobalAdmin(): Promise<TestUser> {
  const { user, api } = await globalAdmin(cast.h);
  return { ...user, api };
}

async function place() {
  const { h, owner, place: makePlace } = cast;
  const { author, muted, former } = readers;
  const topicId = await makePlace();
  for (const user of [author, muted, former]) await addTo(h.db, topicId, user);
  const post = await makePost(author, topicId);
  const { comment } = await author.api.call(contract.comments.create, { postId: post.id, content: "Words." });
  await impose(owner, topicId, muted, "mute");
  await former.api.call(contract.topics.leave, { topicId });
  return { topicId, postId: post.id, commentId: comment.id };
}
type Place = Awaited<ReturnType<typeof place>>;
/** Recording needs a chain and has its own tests (records/). */
type Tried = Exclude<Ability<"post">, "record">;
type Act = (user: TestUser, at: Place) => Promise<unknown>;

/** Whether the rules let them: any refusal is a no. */
async function allowed(act: Promise<unknown>): Promise<boolean> {
  try {
    await act;
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status >= 401 && error.status < 500) return false;
    throw error;
  }
}

const topicActs: Record<Ability<"topic">, Act> = {
  join: ({ api }, { topicId }) => api.call(contract.topics.join, { topicId }),
  write: ({ api }, { topicId }) =>
    api.call(contract.posts.create, { topicId, title: "Title", content: "<p>Text</p>" }),
  moderate: ({ api }, { topicId }) => api.call(contract.moderation.reports, { topicId }),
  edit: ({ api }, { topicId }) => api.call(contract.topics.update, { topicId, title: "Changed" }),
  delete: ({ api }, { topicId }) => api.call(contract.topics.delete, { topicId }),
  report: ({ api }, { topicId }) => api.call(contract.moderation.reportTopic, { topicId, reason: "spam" }),
};

const postActs: Record<Tried, Act> = {
  write: ({ api }, { postId }) => api.call(contract.comments.create, { postId, content: "A word." }),
  bookmark: ({ api }, { postId }) => api.call(contract.posts.bookmark, { postId }),
  report: (user, at) => report(user, "post", at),
  edit: ({ api }, { postId }) => api.call(contract.posts.update, { postId, title: "Changed" }),
  delete: ({ api }, { postId }) => api.call(contract.posts.delete, { postId }),
  hide: ({ api }, { postId }) => api.call(contract.moderation.hidePost, { postId, hidden: true }),
  pin: ({ api }, { postId }) => api.call(contract.posts.pin, { postId }),
};

const commentActs: Record<Ability<"comment">, Act> = {
  report: (user, at) => report(user, "comment", at),
  edit: ({ api }, { commentId }) => api.call(contract.comments.update, { commentId, content: "Changed." }),
  delete: ({ api }, { commentId }) => api.call(contract.comments.delete, { commentId }),
  hide: ({ api }, { commentId }) => api.call(contract.moderation.hideComment, { commentId, hidden: true }),
};

/** Abilities for which the operation says yes; what one changed is not there for the next. */
async function tried<A extends string>(acts: Record<A, Act>, order: readonly A[], user: TestUser) {
  const yes: A[] = [];
  let at = await place();
  for (const ability of order) {
    if (!(await allowed(acts[ability](user, at)))) continue;
    yes.push(ability);
    at = await place();
  }
  return yes;
}

describe.each(NAMES)("the abilities of the %s are what the operations allow", (name) => {
  it("of a topic", async () => {
    const { topicId } = await place();
    const { topic } = await readers[name].api.call(contract.topics.get, { topicId });
    expect(topic.abilities).toEqual(await tried(topicActs, ABILITIES.topic, readers[name]));
  });

  it("of a post and a comment", async () => {
    const { postId } = await place();
    const { post, comments } = await readers[name].api.call(contract.posts.get, { postId });
    const notRecord = ABILITIES.post.filter((ability) => ability !== "record");
    expect(post.abilities.filter((ability) => ability !== "record")).toEqual(
      await tried(postActs, notRecord, readers[name]),
    );
    expect(comments[0]?.abilities).toEqual(await tried(commentActs, ABILITIES.comment, readers[name]));
  });
});
