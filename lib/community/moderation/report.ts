import { sql } from "kysely";
import type { Trx } from "@/db/schema";
import type { Handler, MemberContext } from "@/lib/context";
import type { contract, ResponseBody } from "@/lib/contract";
import type { ReportedKind, ReportReason, Snapshot } from "@/lib/contract/moderation";
import { Refusal } from "@/lib/errors";
import { messageAccess } from "@/lib/policy/chat";
import { assertAllowed } from "@/lib/policy/decision";
import { reportReaders } from "@/lib/policy/report";
import { notify } from "../notifications/notify";
import { tagIdOf } from "../posts/tags";
import { authorizeTopic } from "../topics/load";
import { authorizeLockedTopic, roleOf } from "../topics/membership";
import { viewerOf } from "../viewer";
import { type Effects, write } from "../write";
import { postSnapshot, textSnapshot } from "./snapshot";
import { lockCommentTarget, lockPostTarget } from "./targets";

interface Body {
  readonly reason: ReportReason;
  readonly details?: string;
}
type Done = ResponseBody<typeof contract.moderation.reportPost>;

/** What is reported. */
interface Reported {
  readonly kind: ReportedKind;
  /** Id of the post, comment, message or topic, user id, or id of the tag. */
  readonly targetId: string;
  readonly topicId: string | null;
  readonly postId: string | null;
  /** Who wrote or owns it; null for a tag, and for a profile, which `targetId` names. */
  readonly subjectId: string | null;
  readonly snapshot: Snapshot;
}

/**
 * POST /api/posts/{postId}/report. While the caller's report of the post is open, another one changes nothing and gets
 * the same answer. Whoever may read something may report it; a mute does not matter.
 * @throws Refusal post_not_found, not_a_member
 */
export const reportPost: Handler<typeof contract.moderation.reportPost> = async (
  ctx,
  { postId, ...body },
) => {
  return await report(ctx, body, async (trx) => {
    const { access, topicId, authorId } = await lockPostTarget(trx, postId, ctx);
    assertAllowed(access.report);
    const snapshot = await postSnapshot(trx, postId);
    return { kind: "post", targetId: postId, topicId, postId, subjectId: authorId, snapshot };
  });
};

/**
 * POST /api/comments/{commentId}/report: as for posts.
 * @throws Refusal comment_not_found, not_a_member
 */
export const reportComment: Handler<typeof contract.moderation.reportComment> = async (
  ctx,
  { commentId, ...body },
) => {
  return await report(ctx, body, async (trx) => {
    const target = await lockCommentTarget(trx, commentId, ctx);
    assertAllowed(target.access.report);
    const { topicId, postId, authorId, content } = target;
    const { title } = await postSnapshot(trx, postId);
    const snapshot = textSnapshot(title, content);
    return { kind: "comment", targetId: commentId, topicId, postId, subjectId: authorId, snapshot };
  });
};

/**
 * POST /api/topics/{topicId}/chat/{messageId}/report: as for posts.
 * @throws Refusal topic_not_found, message_not_found
 */
export const reportMessage: Handler<typeof contract.moderation.reportMessage> = async (
  ctx,
  { topicId, messageId, ...body },
) => {
  return await report(ctx, body, async (trx) => {
    // The reports of one message queue at the topic, whose row they change anyway.
    const topic = await authorizeLockedTopic(trx, topicId, ctx.caller, "readChat");
    const found = await trx
      .selectFrom("chat_messages")
      .select(["user_id", "message", "deleted_at", "hidden_at"])
      .where("id", "=", messageId)
      .where("topic_id", "=", topicId)
      .where("type", "=", "message")
      .executeTakeFirst();
    if (!found) throw new Refusal("message_not_found");
    const subjectId = found.user_id;
    const mine = subjectId === ctx.caller.userId;
    const state = { deleted: found.deleted_at !== null, hidden: found.hidden_at !== null, mine };
    const { visibility } = topic;
    assertAllowed(messageAccess({ ...state, visibility }, viewerOf(ctx.caller, topic)).report);
    const snapshot = textSnapshot("", found.message);
    return { kind: "message", targetId: messageId, topicId, postId: null, subjectId, snapshot };
  });
};

/**
 * POST /api/topics/{topicId}/report: reports a topic to the operators.
 * @throws Refusal topic_not_found, topic_secret
 */
export const reportTopic: Handler<typeof contract.moderation.reportTopic> = async (
  ctx,
  { topicId, ...body },
) => {
  return await report(ctx, body, async (trx) => {
    const topic = await authorizeTopic(trx, topicId, ctx.caller, "report");
    const snapshot = textSnapshot(topic.title, topic.description ?? "", [topic.image, topic.banner]);
    const subjectId = topic.creator_id;
    return { kind: "topic", targetId: topicId, topicId, postId: null, subjectId, snapshot };
  });
};

/**
 * POST /api/users/{userId}/report: reports nickname or profile image to the operators.
 * @throws Refusal user_not_found
 */
export const reportProfile: Handler<typeof contract.moderation.reportProfile> = async (
  ctx,
  { userId, ...body },
) => {
  return await report(ctx, body, async (trx) => {
    const user = await trx
      .selectFrom("users")
      .select(["nickname", "profile_image"])
      .where("id", "=", userId)
      .where("deleted_at", "is", null)
      .executeTakeFirst();
    if (!user) throw new Refusal("user_not_found");
    const snapshot = textSnapshot(user.nickname, "", [user.profile_image]);
    return { kind: "profile", targetId: userId, topicId: null, postId: null, subjectId: null, snapshot };
  });
};

/**
 * POST /api/tags/{tag}/report: reports a tag of posts that the caller may read to the operators.
 * @throws Refusal tag_not_found
 */
export const reportTag: Handler<typeof contract.moderation.reportTag> = async (ctx, { tag, ...body }) => {
  return await report(ctx, body, async (trx) => {
    const tagId = await tagIdOf(trx, tag, { userId: ctx.caller.userId });
    if (!tagId) throw new Refusal("tag_not_found");
    const snapshot = textSnapshot(tag, "");
    return { kind: "tag", targetId: tagId, topicId: null, postId: null, subjectId: null, snapshot };
  });
};

/** @param find reads what is reported, with the caller's rights, and locks what its reports queue at */
async function report(ctx: MemberContext, body: Body, find: (trx: Trx) => Promise<Reported>): Promise<Done> {
  const news = await write(ctx, async (trx, effects) => {
    const reported = await find(trx);
    const { kind, topicId, subjectId } = reported;
    const role = topicId && subjectId ? await roleOf(trx, topicId, subjectId) : null;
    const readers = reportReaders({ kind, reason: body.reason, byOwner: role === "owner" });
    const isNews = readers.operators && (await fileForOperators(trx, ctx, reported, body));
    if (readers.staff && topicId) await fileForStaff(trx, effects, ctx, { ...reported, topicId }, body);
    return isNews ? { kind, about: kind === "profile" ? reported.targetId : subjectId } : null;
  });
  // Apart from the report, which may notify the staff: inboxes are locked in one go, and all reports share a lock here.
  if (news) await tellOperators(ctx, { ...news, reason: body.reason });
  return { success: true };
}

/** @returns whether it is the first open report of its content */
async function fileForOperators(
  trx: Trx,
  { caller, now }: MemberContext,
  { kind, targetId, topicId, postId, subjectId, snapshot }: Reported,
  { reason, details }: Body,
): Promise<boolean> {
  const inserted = await trx
    .insertInto("desk_reports")
    .values({
      kind,
      target_id: targetId,
      topic_id: topicId,
      post_id: postId,
      subject_id: subjectId,
      reporter_id: caller.userId,
      reason,
      details: details ?? null,
      snapshot: sql`${JSON.stringify(snapshot)}::jsonb`,
      // By them, operators find copies of the pictures also when these are gone.
      file_digests: sql`(select coalesce(array_agg(distinct u.sha256), '{}') from uploads u
        where u.key = any(${[...snapshot.files]}::text[]) and u.stored and u.sha256 <> '')`,
      status: "open",
      created_at: now(),
    })
    .onConflict((conflict) =>
      conflict.columns(["kind", "target_id", "reporter_id"]).where("status", "=", "open").doNothing(),
    )
    .returning("id")
    .executeTakeFirst();
  if (!inserted) return false;
  const other = await trx
    .selectFrom("desk_reports")
    .select("id")
    .where("kind", "=", kind)
    .where("target_id", "=", targetId)
    .where("status", "=", "open")
    .where("id", "!=", inserted.id)
    .limit(1)
    .executeTakeFirst();
  return !other;
}

interface DeskNews {
  readonly kind: ReportedKind;
  readonly reason: ReportReason;
  /** Whom the report is about: not told of it, if they have a role. Null for nobody. */
  readonly about: string | null;
}

/**
 * Notifies operators and reviewers who have read what they were told of reports before: a flood of reports is one
 * notification for each of them.
 */
async function tellOperators(ctx: MemberContext, { kind, reason, about }: DeskNews): Promise<void> {
  const act = { topicId: null, actorId: ctx.caller.userId, now: ctx.now() };
  await write(ctx, async (trx, effects) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('reports to the operators', 0))`.execute(trx);
    const { rows } = await sql<{ user_id: string }>`
      select d.user_id from (select user_id from operators union select unnest(${[...ctx.adminUserIds]}::text[])) d
      where d.user_id is distinct from ${about} and not exists (select from notifications n where n.user_id = d.user_id and n.read_at is null
        and n.kind = 'desk_report_opened')`.execute(trx);
    const to = rows.map((row) => row.user_id);
    await notify(trx, effects, act, [{ kind: "desk_report_opened", to, details: { kind, reason } }]);
  });
}

async function fileForStaff(
  trx: Trx,
  effects: Effects,
  { caller, now }: MemberContext,
  { kind, targetId, topicId, postId, subjectId, snapshot }: Reported & { readonly topicId: string },
  { reason, details }: Body,
): Promise<void> {
  const inserted = await trx
    .insertInto("reports")
    .values({
      topic_id: topicId,
      post_id: postId,
      comment_id: kind === "post" ? null : targetId,
      subject_id: subjectId,
      reporter_id: caller.userId,
      reason,
      details: details ?? null,
      status: "open",
      created_at: now(),
      decided_at: null,
      decided_by: null,
      snapshot: sql`${JSON.stringify(snapshot)}::jsonb`,
    })
    .onConflict((conflict) =>
      conflict.columns(["post_id", "comment_id", "reporter_id"]).where("status", "=", "open").doNothing(),
    )
    .returning("id")
    .executeTakeFirst();
  if (!inserted) return;
  await trx
    .updateTable("topics")
    .set((eb) => ({ open_report_count: eb("open_report_count", "+", 1) }))
    .where("id", "=", topicId)
    .execute();
  const act = { topicId, actorId: caller.userId, now: now() };
  const commentId = kind === "comment" ? targetId : null;
  const messageId = kind === "message" ? targetId : null;
  const to = await staffToNotify(trx, topicId, { postId, commentId, messageId });
  const sent = { reason, ...(messageId && { messageId }) };
  await notify(trx, effects, act, [{ kind: "report_opened", to, postId, commentId, details: sent }]);
}

interface Place {
  readonly postId: string | null;
  readonly commentId: string | null;
  readonly messageId: string | null;
}

/**
 * Returns the staff without an unread notification of a report of the same content. Call it under the lock where its
 * reports queue.
 */
async function staffToNotify(
  trx: Trx,
  topicId: string,
  { postId, commentId, messageId }: Place,
): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    select m.user_id from memberships m
    where m.topic_id = ${topicId} and m.role in ('owner', 'admin') and not exists (
      select from notifications n where n.user_id = m.user_id and n.read_at is null and n.kind = 'report_opened'
        and n.post_id is not distinct from ${postId}::uuid and n.comment_id is not distinct from ${commentId}::uuid
        and n.details->>'messageId' is not distinct from ${messageId}::text)`.execute(trx);
  return rows.map((row) => row.user_id);
}
