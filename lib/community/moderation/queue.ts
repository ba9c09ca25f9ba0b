import { sql } from "kysely";
import type { ReportTable } from "@/db/schema/moderation";
import type { MemberContext } from "@/lib/context";
import type { contract, HandlerInput, ResponseBody, Role } from "@/lib/contract";
import type { Report } from "@/lib/contract/moderation";
import { Refusal } from "@/lib/errors";
import { shorten } from "@/lib/html";
import { assertAllowed } from "@/lib/policy/decision";
import { mayDiscipline, topicAccess } from "@/lib/policy/topic";
import { decodeCursor, pageOf } from "../paging";
import { loadTopic } from "../topics/load";
import { accessUnderLock } from "../topics/membership";
import { viewerOf } from "../viewer";
import { logStaffAct } from "./log";

/** Characters that the queue shows of what was reported. */
const excerptLength = 280;

interface ReportRow extends Pick<ReportTable, "post_id" | "comment_id" | "reason" | "details" | "status"> {
  readonly id: string;
  readonly key: Date;
  readonly reporter_id: string;
  readonly reporter_nickname: string;
  readonly reporter_image: string | null;
  readonly author_id: string;
  readonly author_nickname: string;
  readonly author_image: string | null;
  /** Null once they have left. */
  readonly author_role: Role | null;
  readonly title: string;
  readonly words: string;
  readonly hidden: boolean;
  readonly deleted: boolean;
}

/**
 * GET /api/topics/{topicId}/reports: open reports, oldest first; with status=all every one.
 * @throws Refusal topic_not_found, not_a_member, role_required
 */
export async function listReports(
  ctx: MemberContext,
  input: HandlerInput<typeof contract.moderation.reports>,
): Promise<ResponseBody<typeof contract.moderation.reports>> {
  const { caller, db } = ctx;
  const { limit } = input;
  const topic = await loadTopic(db, input.topicId, caller.userId);
  assertAllowed(topicAccess(topic, viewerOf(caller, topic)).moderate);
  const sort = input.status ?? "open";
  const cursor = decodeCursor(input.cursor, { sort, kind: "time" });
  const { rows } = await sql<ReportRow>`
    select r.id, r.created_at as key, r.post_id, r.comment_id, r.reason, r.details, r.status,
      r.reporter_id, reporter.nickname as reporter_nickname, reporter.profile_image as reporter_image,
      author.id as author_id, author.nickname as author_nickname, author.profile_image as author_image,
      m.role as author_role,
      p.title, case when c.id is null then p.summary else left(c.content, ${2 * excerptLength}) end as words,
      (case when c.id is null then p.hidden_at else c.hidden_at end) is not null as hidden,
      (case when c.id is null then p.deleted_at else c.deleted_at end) is not null as deleted
    from reports r
    join posts p on p.id = r.post_id
    left join comments c on c.id = r.comment_id
    join users reporter on reporter.id = r.reporter_id
    join users author on author.id = coalesce(c.author_id, p.author_id)
    left join memberships m on m.topic_id = r.topic_id and m.user_id = author.id
    where r.topic_id = ${topic.id} ${sort === "all" ? sql`` : sql`and r.status = 'open'`}
      ${cursor ? sql`and (r.created_at, r.id) > (${new Date(cursor.key)}, ${cursor.id})` : sql``}
    order by r.created_at, r.id limit ${limit + 1}`.execute(db);
  const { nextCursor } = pageOf(rows, { limit, sort, cursor: input.cursor });
  const reports = rows.slice(0, limit).map((row) => reportView(row, topic, caller.userId));
  return { reports, openCount: topic.open_report_count, nextCursor };
}

/** A report as somebody of the staff sees it, in the topic where they have this role. */
function reportView(
  row: ReportRow,
  topic: { readonly id: string; readonly role: Role | null },
  callerId: string,
): Report {
  const mayDisciplineAuthor =
    mayDiscipline(topic.role, row.author_role, row.author_id === callerId) === "allowed";
  return {
    id: row.id,
    topicId: topic.id,
    postId: row.post_id,
    commentId: row.comment_id,
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
      // Only members are muted; a ban may come before somebody returns.
      abilities: mayDisciplineAuthor ? (row.author_role ? ["mute", "ban"] : ["ban"]) : [],
    },
    title: row.title,
    excerpt: shorten(row.words, excerptLength),
    isHidden: row.hidden,
    isDeleted: row.deleted,
  };
}

/**
 * PATCH /api/topics/{topicId}/reports: closes the report and every other open one of the same post or comment.
 * Neither way changes what was reported. `decided` says how many were closed: none when a colleague was faster.
 * @throws Refusal topic_not_found, not_a_member, role_required, report_not_found
 */
export async function decideReport(
  ctx: MemberContext,
  { topicId, reportId, action, reason }: HandlerInput<typeof contract.moderation.decideReport>,
): Promise<ResponseBody<typeof contract.moderation.decideReport>> {
  const { caller, db } = ctx;
  const now = ctx.now();
  const decided = await db.transaction().execute(async (trx) => {
    const { access } = await accessUnderLock(trx, topicId, caller);
    assertAllowed(access.moderate);
    const report = await trx
      .selectFrom("reports")
      .select(["post_id", "comment_id", "status"])
      .where("id", "=", reportId)
      .where("topic_id", "=", topicId)
      .executeTakeFirst();
    if (!report) throw new Refusal("report_not_found", { field: "reportId" });
    if (report.status !== "open") return 0;
    const closed = await trx
      .updateTable("reports")
      .set({
        status: action === "dismiss" ? "dismissed" : "resolved",
        decided_at: now,
        decided_by: caller.userId,
      })
      .where("post_id", "=", report.post_id)
      .where("comment_id", "is not distinct from", report.comment_id)
      .where("status", "=", "open")
      .returning("id")
      .execute();
    await trx
      .updateTable("topics")
      .set((eb) => ({ open_report_count: eb("open_report_count", "-", closed.length) }))
      .where("id", "=", topicId)
      .execute();
    await logStaffAct(trx, {
      topicId,
      actorId: caller.userId,
      postId: report.post_id,
      commentId: report.comment_id,
      action: action === "dismiss" ? "report_dismissed" : "report_resolved",
      reason,
      now,
      details: { reports: String(closed.length) },
    });
    return closed.length;
  });
  return { success: true, decided };
}
