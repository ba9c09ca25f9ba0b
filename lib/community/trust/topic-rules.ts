import { sql } from "kysely";
import type { Trx } from "@/db/schema";
import type { MemberContext } from "@/lib/context";
import type { Role } from "@/lib/contract";
import { Refusal } from "@/lib/errors";
import { isStaff } from "@/lib/policy/decision";
import { type TopicRules, waitsForReview } from "@/lib/policy/topic-rules";
import type { TextUsage } from "@/lib/policy/trust";
import { logStaffAct } from "../moderation/log";
import type { NewNotification } from "../notifications/notify";
import { staffOf } from "../topics/membership";
import { identityOf } from "./days";
import { normalized } from "./texts";

/** A member's place in a topic with rules. */
interface Writer extends TopicRules {
  readonly topicId: string;
  readonly role: Role | null;
}

/**
 * Refuses a new post, comment or chat message that comes too soon, or has links too early. The row of the pace serializes the texts
 * of one person here, whatever their account.
 * @throws Refusal slow_mode with `until`, links_too_early with `acceptedMissing`
 */
export async function assertTopicRules(
  trx: Trx,
  ctx: Pick<MemberContext, "caller" | "now">,
  writer: Writer,
  usage: TextUsage,
): Promise<void> {
  await assertLinksAllowed(trx, ctx, writer, usage);
  if (writer.slow_mode_seconds === null || isStaff(writer.role)) return;
  const now = ctx.now();
  const since = new Date(now.getTime() - writer.slow_mode_seconds * 1000);
  const identity = identityOf(ctx.caller.userId);
  const { rows } = await sql`
    insert into topic_paces (topic_id, identity_hash, written_at) values (${writer.topicId}, ${identity}, ${now})
    on conflict (topic_id, identity_hash) do update set written_at = excluded.written_at
      where topic_paces.written_at <= ${since}
    returning written_at`.execute(trx);
  if (rows.length > 0) return;
  const last = await trx
    .selectFrom("topic_paces")
    .select("written_at")
    .where("topic_id", "=", writer.topicId)
    .where("identity_hash", "=", identity)
    .executeTakeFirst();
  const until = new Date((last?.written_at ?? now).getTime() + writer.slow_mode_seconds * 1000);
  throw new Refusal("slow_mode", {
    retryAfter: Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000)),
    extra: { until: until.toISOString() },
  });
}

/** Refuses links of a member with too few accepted texts in the topic. @throws Refusal links_too_early */
export async function assertLinksAllowed(
  trx: Trx,
  { caller }: Pick<MemberContext, "caller">,
  { topicId, role, links_after_posts: needed }: Writer,
  { links }: TextUsage,
): Promise<void> {
  if (links === 0 || needed === 0 || isStaff(role)) return;
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from (
    (select 1 from posts p where p.author_id = ${caller.userId} and p.topic_id = ${topicId} and p.hidden_at is null
      and (p.deleted_at is null or p.deleted_by = p.author_id) limit ${needed})
    union all
    (select 1 from comments c join posts p on p.id = c.post_id
      where c.author_id = ${caller.userId} and p.topic_id = ${topicId} and c.hidden_at is null
        and c.deleted_by is distinct from 'admin' limit ${needed})
    ) written`.execute(trx);
  const acceptedMissing = needed - (rows[0]?.count ?? 0);
  if (acceptedMissing > 0) throw new Refusal("links_too_early", { extra: { acceptedMissing } });
}

/** Returns whether a text of this member waits for review. */
export function isHeld(
  { role, review_words }: Pick<Writer, "role" | "review_words">,
  words: string,
): boolean {
  if (review_words.length === 0 || isStaff(role)) return false;
  return waitsForReview(normalized(words), review_words.map(normalized));
}

/** A text that waits for review. */
interface HeldText {
  readonly topicId: string;
  readonly authorId: string;
  /** Null for a chat message. */
  readonly postId: string | null;
  /** Null for the post's own text, and for a chat message. */
  readonly commentId: string | null;
  readonly messageId?: string;
}

/** Returns a chat message that waits for review. */
export function heldMessage(topicId: string, authorId: string, messageId: string): HeldText {
  return { topicId, authorId, postId: null, commentId: null, messageId };
}

/**
 * Logs that a text was hidden until staff review it. Nobody acted, so the entry has no actor. It locks the topic's row:
 * call it before pictures, chat rooms, tags and users are locked.
 */
export async function logHeld(trx: Trx, held: HeldText, now: Date): Promise<void> {
  const { topicId, authorId, postId, commentId, messageId } = held;
  await logStaffAct(trx, {
    topicId,
    actorId: null,
    action: messageId ? "message_held" : commentId ? "comment_held" : "post_held",
    now,
    subjectId: authorId,
    postId,
    commentId,
    details: messageId ? { messageId } : {},
  });
}

/** Returns the notifications of a text that waits for review: to its author and to the topic's staff. */
export async function heldNotifications(trx: Trx, held: HeldText): Promise<NewNotification[]> {
  const { topicId, authorId, postId, commentId, messageId } = held;
  const about = { postId, commentId, ...(messageId && { details: { messageId } }) };
  return [
    { kind: "content_held", to: [authorId], ...about },
    { kind: "review_opened", to: await staffOf(trx, topicId), ...about },
  ];
}
