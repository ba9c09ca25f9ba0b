import { contract } from "@/lib/contract";
import type { TestUser } from "@/lib/testing/harness";
import { type Cast, makePost } from "../testing";

/** What can be reported and hidden. */
export const kinds = ["post", "comment"] as const;
export type Kind = (typeof kinds)[number];

/** A staffed topic with a second member, and a post and a comment of the first one. */
export async function createWords(cast: Cast, visibility: "public" | "secret" = "public") {
  const topicId = await cast.place(visibility);
  const post = await makePost(cast.member, topicId, "Title", "<p>Some words.</p>");
  const content = { postId: post.id, content: "A comment." };
  const { comment } = await cast.member.api.call(contract.comments.create, content);
  return { topicId, postId: post.id, commentId: comment.id };
}
export type Words = Awaited<ReturnType<typeof createWords>>;

export function report(user: TestUser, kind: Kind, { postId, commentId }: Words, details?: string) {
  return kind === "post"
    ? user.api.call(contract.moderation.reportPost, { postId, reason: "spam", details })
    : user.api.call(contract.moderation.reportComment, { commentId, reason: "abuse", details });
}

export function hide(
  user: TestUser,
  kind: Kind,
  { postId, commentId }: Words,
  hidden = true,
  reason?: string,
) {
  return kind === "post"
    ? user.api.call(contract.moderation.hidePost, { postId, hidden, reason })
    : user.api.call(contract.moderation.hideComment, { commentId, hidden, reason });
}

/** How many reports of a topic are open: as counted, and as there are rows. */
export async function openReports({ h, owner }: Cast, topicId: string) {
  const counted = (await owner.api.call(contract.topics.get, { topicId })).openReports;
  const rows = await h.db
    .selectFrom("reports")
    .select("id")
    .where("topic_id", "=", topicId)
    .where("status", "=", "open")
    .execute();
  return [counted, rows.length];
}

export type SanctionKind = "mute" | "ban";

export const impose = (
  user: TestUser,
  topicId: string,
  target: TestUser,
  kind: SanctionKind,
  more: object = {},
) =>
  user.api.call(contract.moderation.sanction, {
    topicId,
    userId: target.userId,
    kind,
    reason: "A reason.",
    ...more,
  });

export const lift = (
  user: TestUser,
  topicId: string,
  target: TestUser,
  kind: SanctionKind,
  reason?: string,
) => user.api.call(contract.moderation.lift, { topicId, userId: target.userId, kind, reason });

/** A user as sanctions and reports show them. */
export const person = (user: TestUser) => ({
  userId: user.userId,
  nickname: user.nickname,
  profileImage: null,
});
