import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract, type NotificationKind } from "@/lib/contract";
import type { TestUser } from "@/lib/testing/harness";
import { impose, lift } from "../moderation/testing";
import { type Cast, createCast, makePost, signIn } from "../testing";
import { clearNotifications, makeScene, notificationsOf, say } from "./testing";

/** Who gets which notification: every kind, through the API. */
let cast: Cast;
let other: TestUser;
let everybody: Record<string, TestUser>;
beforeAll(async () => {
  cast = await createCast();
  other = await signIn(cast.h, "other");
  const { owner, admin, member, outsider } = cast;
  everybody = { owner, admin, member, other, outsider };
});
afterAll(() => cast.h.close());

const scene = (visibility?: Told["visibility"]) => makeScene(cast, other, visibility);
type Scene = Awaited<ReturnType<typeof makeScene>>;

interface Told {
  readonly kind: NotificationKind;
  /** The action. */
  readonly act: (scene: Scene) => Promise<unknown>;
  /** Exactly those who are notified of it. */
  readonly to: readonly string[];
  /** The actor that the reader sees. */
  readonly by?: string;
  /** What else it says. */
  readonly says?: Record<string, unknown>;
  readonly visibility?: "public" | "private" | "secret";
}

const pending = async (topicId: string) =>
  (await cast.owner.api.call(contract.requests.list, { topicId })).requests[0]?.id ?? "";
const decide = async (topicId: string, action: "approve" | "reject") =>
  cast.admin.api.call(contract.requests.decide, { topicId, requestId: await pending(topicId), action });
const ask = (topicId: string) => cast.outsider.api.call(contract.topics.join, { topicId });
const until = "2099-01-01T00:00:00.000Z";

const table: Record<string, Told> = {
  "a comment, to the post's author": {
    kind: "reply",
    act: ({ postId }) => say(other, postId, "Hm."),
    to: ["member"],
    by: "other",
    says: { postTitle: "Title", excerpt: "Hm.", details: { to: "post" } },
  },
  "an answer, to the comment's author, once": {
    kind: "reply",
    act: ({ postId, commentId }) => say(other, postId, "Hm.", commentId),
    to: ["member"],
    by: "other",
    says: { details: { to: "comment" } },
  },
  "an answer that names whom it answers is one notification": {
    kind: "reply",
    act: ({ postId, commentId }) => say(other, postId, `No, @${cast.member.nickname}.`, commentId),
    to: ["member"],
    by: "other",
  },
  "a comment on one's own post names somebody": {
    kind: "mention",
    act: ({ postId }) =>
      say(cast.member, postId, `@${other.nickname.toUpperCase()} and @${cast.outsider.nickname}`),
    to: ["other"],
    by: "member",
  },
  "a post names members, its author among them": {
    kind: "mention",
    act: ({ topicId }) =>
      makePost(
        cast.member,
        topicId,
        "New",
        `<p>@${other.nickname}, @${cast.owner.nickname} @${cast.member.nickname} <code>@${cast.admin.nickname}</code></p>`,
      ),
    to: ["owner", "other"],
    by: "member",
    says: { postTitle: "New", commentId: null, details: {} },
  },
  "an edit of a post, to whom it names anew": {
    kind: "mention",
    act: async ({ topicId }) => {
      const text = `<p>@${other.nickname}</p>`;
      const { id } = await makePost(cast.member, topicId, "New", text);
      await clearNotifications(cast.h.db);
      const content = `${text}<p>@${cast.admin.nickname}</p>`;
      await cast.member.api.call(contract.posts.update, { postId: id, content });
    },
    to: ["admin"],
    by: "member",
  },
  "an edit of a comment, to whom it names anew": {
    kind: "mention",
    act: ({ commentId }) =>
      cast.member.api.call(contract.comments.update, { commentId, content: `@${other.nickname}` }),
    to: ["other"],
    by: "member",
  },
  "somebody asks to join": {
    kind: "join_request",
    act: ({ topicId }) => ask(topicId),
    to: ["owner", "admin"],
    by: "outsider",
    says: { topicTitle: "A topic", postId: null, excerpt: null },
  },
  "a request is approved": {
    kind: "join_approved",
    act: async ({ topicId }) => {
      await ask(topicId);
      await clearNotifications(cast.h.db);
      await decide(topicId, "approve");
    },
    to: ["outsider"],
    says: { topicTitle: "A topic" },
  },
  "a request is rejected": {
    kind: "join_rejected",
    act: async ({ topicId }) => {
      await ask(topicId);
      await clearNotifications(cast.h.db);
      await decide(topicId, "reject");
    },
    to: ["outsider"],
    says: { topicTitle: "A topic" },
  },
  "a role is given": {
    kind: "role_changed",
    act: ({ topicId }) =>
      cast.owner.api.call(contract.members.setRole, { topicId, userId: other.userId, role: "admin" }),
    to: ["other"],
    by: "owner",
    says: { details: { role: "admin", previous: "member" } },
  },
  "a topic is handed over": {
    kind: "ownership_received",
    act: ({ topicId }) =>
      cast.owner.api.call(contract.members.setRole, { topicId, userId: other.userId, role: "owner" }),
    to: ["other"],
    by: "owner",
  },
  "a member is removed from a secret topic": {
    kind: "member_removed",
    visibility: "secret",
    act: ({ topicId }) =>
      cast.admin.api.call(contract.members.remove, { topicId, userId: other.userId, reason: "Enough." }),
    to: ["other"],
    says: { topicTitle: null, reason: "Enough." },
  },
  "a member is muted": {
    kind: "member_muted",
    act: ({ topicId }) => impose(cast.admin, topicId, other, "mute", { until }),
    to: ["other"],
    says: { reason: "A reason.", details: { until } },
  },
  "a mute is lifted": {
    kind: "member_unmuted",
    act: async ({ topicId }) => {
      await impose(cast.admin, topicId, other, "mute");
      await clearNotifications(cast.h.db);
      await lift(cast.admin, topicId, other, "mute", "Good again.");
    },
    to: ["other"],
    says: { reason: "Good again.", details: {} },
  },
  "a member is banned": {
    kind: "member_banned",
    act: ({ topicId }) => impose(cast.admin, topicId, other, "ban", { until }),
    to: ["other"],
    says: { reason: "A reason.", details: { until }, topicTitle: "A topic" },
  },
  "somebody who never was a member is banned": {
    kind: "member_banned",
    act: ({ topicId }) => impose(cast.admin, topicId, cast.outsider, "ban"),
    to: [],
  },
  "a ban is lifted": {
    kind: "member_unbanned",
    act: async ({ topicId }) => {
      await impose(cast.admin, topicId, other, "ban");
      await clearNotifications(cast.h.db);
      await lift(cast.admin, topicId, other, "ban");
    },
    to: ["other"],
  },
  "a post is hidden": {
    kind: "post_hidden",
    act: ({ postId }) =>
      cast.admin.api.call(contract.moderation.hidePost, { postId, hidden: true, reason: "Off topic." }),
    to: ["member"],
    says: { reason: "Off topic.", postTitle: "Title", excerpt: "Some words." },
  },
  "a post is shown again": {
    kind: "post_shown",
    act: async ({ postId }) => {
      await cast.admin.api.call(contract.moderation.hidePost, { postId, hidden: true });
      await clearNotifications(cast.h.db);
      await cast.admin.api.call(contract.moderation.hidePost, { postId, hidden: false });
    },
    to: ["member"],
  },
  "a comment is hidden": {
    kind: "comment_hidden",
    act: ({ commentId }) => cast.admin.api.call(contract.moderation.hideComment, { commentId, hidden: true }),
    to: ["member"],
    says: { excerpt: "A comment." },
  },
  "a comment is shown again": {
    kind: "comment_shown",
    act: async ({ commentId }) => {
      await cast.admin.api.call(contract.moderation.hideComment, { commentId, hidden: true });
      await clearNotifications(cast.h.db);
      await cast.admin.api.call(contract.moderation.hideComment, { commentId, hidden: false });
    },
    to: ["member"],
  },
  "the staff removes a post": {
    kind: "post_removed",
    act: ({ postId }) => cast.admin.api.call(contract.posts.delete, { postId }),
    to: ["member"],
    says: { postTitle: null, excerpt: null },
  },
  "the staff removes a comment": {
    kind: "comment_removed",
    act: ({ commentId }) => cast.admin.api.call(contract.comments.delete, { commentId }),
    to: ["member"],
    says: { postTitle: "Title", excerpt: null },
  },
  "an author removes what they wrote": {
    kind: "post_removed",
    act: async ({ postId, commentId }) => {
      await cast.member.api.call(contract.comments.delete, { commentId });
      await cast.member.api.call(contract.posts.delete, { postId });
    },
    to: [],
  },
  "a report, once while it waits unread": {
    kind: "report_opened",
    act: async ({ postId }) => {
      await other.api.call(contract.moderation.reportPost, { postId, reason: "spam" });
      await cast.member.api.call(contract.moderation.reportPost, { postId, reason: "abuse" });
    },
    to: ["owner", "admin"],
    says: { details: { reason: "spam" }, excerpt: "Some words." },
  },
};

describe("who is notified", () => {
  it.each(Object.entries(table))("%s", async (_name, { kind, act, to, by, says, visibility }) => {
    const place = await scene(visibility);
    await clearNotifications(cast.h.db);
    await act(place);
    const told: Record<string, unknown> = {};
    for (const [name, user] of Object.entries(everybody)) {
      const inbox = await notificationsOf(user);
      if (inbox.length > 0) told[name] = inbox;
    }
    const actor = by === undefined ? null : expect.objectContaining({ userId: everybody[by]?.userId });
    const one = [expect.objectContaining({ kind, topicId: place.topicId, isRead: false, actor, ...says })];
    expect(told).toEqual(Object.fromEntries(to.map((name) => [name, one])));
  });

  it("knows every kind but those of chat, records, operators, proofs, reviews, watches, drafts and digests, which are tested there", () => {
    const elsewhere: NotificationKind[] = [
      ...(["chat_mention", "chat_reply", "message_hidden", "message_shown", "message_removed"] as const),
      ...(["post_recorded", "topic_removed", "operator_granted", "operator_taken"] as const),
      ...(["account_silenced", "account_unsilenced", "account_suspended", "account_unsuspended"] as const),
      ...(["sessions_ended", "nickname_reset", "image_removed", "topic_frozen", "topic_unfrozen"] as const),
      ...(["ownership_given", "ownership_taken", "proof_due", "proof_lapsed"] as const),
      ...(["content_held", "review_opened", "desk_report_opened", "files_taken_down", "digest"] as const),
      ...(["watched_topic", "watched_thread", "scheduled_refused"] as const),
      ...(["ownership_offered", "ownership_accepted", "ownership_declined", "ownership_inherited"] as const),
    ];
    const kinds = new Set([...Object.values(table).map(({ kind }) => kind), ...elsewhere]);
    const declared =
      contract.notifications.list.responses[200].shape.notifications.element.shape.kind.options;
    expect([...kinds].toSorted()).toEqual(declared.toSorted());
  });
});
