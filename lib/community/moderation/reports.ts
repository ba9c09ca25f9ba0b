import { sql } from "kysely";
import type { Trx } from "@/db/schema";
import type { ReportTable } from "@/db/schema/moderation";
import type { Handler, MemberContext } from "@/lib/context";
import type { contract, Role } from "@/lib/contract";
import type { Report, Snapshot } from "@/lib/contract/moderation";
import { Refusal } from "@/lib/errors";
import { shorten } from "@/lib/html";
import { authorAbilities } from "@/lib/policy/topic";
import { transact } from "@/lib/sql/transact";
import { decodeCursor, pageOf } from "../paging";
import { authorizeTopic } from "../topics/load";
import { authorizeLockedTopic } from "../topics/membership";
import { logStaffAct } from "./log";

/** Characters that the list shows of a reported text. */
const EXCERPT_LENGTH = 280;

interface ReportRow extends Pick<ReportTable, "post_id" | "comment_id" | "reason" | "details" | "status"> {
  readonly id: string;
  readonly key: Date;
  readonly reporter_id: string;
  readonly reporter_nickname: string;
  readonly reporter_image: string | null;
  readonly author_id: string;
  readonly author_nickname: string;
  readonly author_image: string | null;
  /** Null for someone who is not a member. */
  readonly author_role: Role | null;
  readonly title: string;
  readonly words: string;
  readonly hidden: boolean;
  readonly deleted: boolean;
  readonly snapshot: Snapshot | null;
}

/**
 * GET /api/topics/{topicId}/reports: open reports, or all with status=all, oldest first.
 * @throws Refusal topic_not_found, not_a_member, role_required
 */
export const listReports: Handler<typeof contract.moderation.reports> = async (ctx, input) => {
  const { caller, db } = ctx;
  const topic = await authorizeTopic(db, input.topicId, caller, "moderate");
  const sort = input.status ?? "open";
  const cursor = decodeCursor(input.cursor, { sort, kind: "time" });
  const { rows } = await sql<ReportRow>`
    select r.id, r.created_at as key, r.post_id, r.comment_id, r.reason, r.details, r.status,
      r.reporter_id, reporter.nickname as reporter_nickname, reporter.profile_image as reporter_image,
      author.id as author_id, author.nickname as author_nickname, author.profile_image as author_image,
      m.role as author_role, r.snapshot, coalesce(p.title, '') as title,
      case when r.comment_id is null then p.summary else
        left(coalesce(c.content, g.message, ''), ${2 * EXCERPT_LENGTH}) end as words,
      coalesce(g.hidden_at, c.hidden_at, case when c.id is null then p.hidden_at end) is not null as hidden,
      case when r.post_id is null then g.id is null or g.deleted_at is not null
        else (case when c.id is null then p.deleted_at else c.deleted_at end) is not null end as deleted
    from reports r
    left join posts p on p.id = r.post_id
    left join comments c on c.post_id = r.post_id and c.id = r.comment_id
    left join chat_messages g on r.post_id is null and g.id = r.comment_id
    join users reporter on reporter.id = r.reporter_id
    join users author on author.id = coalesce(c.author_id, p.author_id, g.user_id, r.subject_id)
    left join memberships m on m.topic_id = r.topic_id and m.user_id = author.id
    where r.topic_id = ${topic.id} ${sort === "all" ? sql`` : sql`and r.status = 'open'`}
      ${cursor ? sql`and (r.created_at, r.id) > (${new Date(cursor.key)}, ${cursor.id})` : sql``}
    order by r.created_at, r.id limit ${input.limit + 1}`.execute(db);
  const page = pageOf(rows, { ...input, sort });
  const reports = page.rows.map((row) => reportView(row, topic, caller.userId));
  return { reports, openCount: topic.open_report_count, nextCursor: page.nextCursor };
};

/** Returns a report as staff see it. @param topic with the role of that staff member */
function reportView(
  row: ReportRow,
  topic: { readonly id: string; readonly role: Role | null },
  callerId: string,
): Report {
  return {
    id: row.id,
    topicId: topic.id,
    postId: row.post_id,
    ...commentOrMessage(row),
    reason: row.reason,
    details: row.details,
    status: row.status,
    createdAt: row.key.toISOString(),
    reporter: {
      userId: row.reporter_id,
      nickname: row.reporter_nickname,
      profileImage: row.reporter_image,
    },
    author: {
      userId: row.author_id,
      nickname: row.author_nickname,
      profileImage: row.author_image,
      // Only members can be muted. A ban can come before someone joins again.
      abilities: authorAbilities(
        topic.role,
        { userId: row.author_id, role: row.author_role },
        row.author_id === callerId,
      ),
    },
    title: row.title,
    excerpt: shorten(row.words, EXCERPT_LENGTH),
    isHidden: row.hidden,
    isDeleted: row.deleted,
    snapshot: row.snapshot,
  };
}

/** What a report is about besides a post. Without a post, it is about the chat message that `comment_id` names. */
function commentOrMessage({ post_id, comment_id }: Pick<ReportTable, "post_id" | "comment_id">) {
  return post_id === null
    ? { commentId: null, messageId: comment_id }
    : { commentId: comment_id, messageId: null };
}

/**
 * PATCH /api/topics/{topicId}/reports: closes the report and all other open ones of the same content. Neither
 * decision changes the content. `decided` is the number of reports closed: 0 if someone else decided first.
 * @throws Refusal topic_not_found, not_a_member, role_required, report_not_found
 */
export const decideReport: Handler<typeof contract.moderation.decideReport> = async (
  ctx,
  { topicId, reportId, action, reason },
) => {
  const { caller, db } = ctx;
  const now = ctx.now();
  const decided = await transact(db, async (trx) => {
    await authorizeLockedTopic(trx, topicId, caller, "moderate");
    const report = await trx
      .selectFrom("reports")
      .select(["post_id", "comment_id", "status"])
      .where("id", "=", reportId)
      .where("topic_id", "=", topicId)
      .executeTakeFirst();
    if (!report) throw new Refusal("report_not_found", { field: "reportId" });
    if (report.status !== "open") return 0;
    return await closeReports(trx, { topicId, ...report }, { caller, action, reason, now });
  });
  return { success: true, decided };
};

/** What reports are about, as in their rows. */
interface ReportedContent extends Pick<ReportTable, "post_id" | "comment_id"> {
  readonly topicId: string;
}

/**
 * Closes every open report of the same content and logs that, in a transaction that holds the topic's row.
 * @returns how many it closed; with none it logs nothing
 */
export async function closeReports(
  trx: Trx,
  { topicId, post_id, comment_id }: ReportedContent,
  {
    caller,
    action,
    reason,
    now,
  }: Pick<MemberContext, "caller"> & {
    readonly action: "dismiss" | "resolve";
    readonly reason?: string;
    readonly now: Date;
  },
): Promise<number> {
  const closed = await trx
    .updateTable("reports")
    .set({
      status: action === "dismiss" ? "dismissed" : "resolved",
      decided_at: now,
      decided_by: caller.userId,
    })
    .where("post_id", "is not distinct from", post_id)
    .where("comment_id", "is not distinct from", comment_id)
    .where("status", "=", "open")
    .returning("id")
    .execute();
  if (closed.length === 0) return 0;
  await trx
    .updateTable("topics")
    .set((eb) => ({ open_report_count: eb("open_report_count", "-", closed.length) }))
    .where("id", "=", topicId)
    .execute();
  const { commentId, messageId } = commentOrMessage({ post_id, comment_id });
  await logStaffAct(trx, {
    topicId,
    actorId: caller.userId,
    postId: post_id,
    commentId,
    action: action === "dismiss" ? "report_dismissed" : "report_resolved",
    reason,
    now,
    details: { reports: String(closed.length), ...(messageId && { messageId }) },
  });
  return closed.length;
}
