import { sql } from "kysely";
import type { Trx } from "@/db/schema";
import type { DeskReportTable } from "@/db/schema/moderation";
import type { Handler, MemberContext } from "@/lib/context";
import type { contract } from "@/lib/contract";
import type { DeskReport } from "@/lib/contract/desk";
import { Refusal } from "@/lib/errors";
import { assertAllowed } from "@/lib/policy/decision";
import { claimantOf, deskAccess, deskActsOn } from "@/lib/policy/desk";
import { transact } from "@/lib/sql/transact";
import { decodeCursor, pageOf } from "../paging";

type Columns = "kind" | "target_id" | "topic_id" | "post_id" | "reason" | "details" | "status";

interface Row extends Pick<DeskReportTable, Columns> {
  readonly id: string;
  readonly key: Date;
  readonly snapshot: NonNullable<DeskReport["snapshot"]>;
  readonly snapshot_erased_at: Date | null;
  readonly now_is: DeskReport["state"];
  readonly is_held: boolean;
  readonly topic_title: string | null;
  readonly claimed_at: Date | null;
  readonly decided_at: Date | null;
  readonly decision: string | null;
  readonly reporter: DeskReport["reporter"];
  readonly resolved: number;
  readonly dismissed: number;
  readonly subject: DeskReport["subject"];
  readonly claimant: DeskReport["claimedBy"];
}

/** SQL: whether what report `r` is about is shown, hidden or gone. Ids of other kinds are never read as a uuid. */
const stateOf = sql`coalesce(case r.kind
  when 'post' then (select case when x.hidden_at is null then 'shown' else 'hidden' end from posts x
    where x.id = r.target_id::uuid and x.deleted_at is null)
  when 'comment' then (select case when x.hidden_at is null then 'shown' else 'hidden' end from comments x
    where x.id = r.target_id::uuid and x.deleted_at is null)
  when 'message' then (select case when x.hidden_at is null then 'shown' else 'hidden' end from chat_messages x
    where x.id = r.target_id::uuid and x.deleted_at is null)
  when 'topic' then (select 'shown' from topics x where x.id = r.target_id::uuid)
  when 'tag' then (select 'shown' from tags x where x.id = r.target_id::uuid)
  else (select 'shown' from users x where x.id = r.target_id and x.deleted_at is null) end, 'gone')`;

/** SQL: a joined user as views show them; null for nobody. */
function personJson(alias: string) {
  const [id, nickname, image] = ["id", "nickname", "profile_image"].map((column) =>
    sql.ref(`${alias}.${column}`),
  );
  return sql`case when ${id} is not null then
    json_build_object('userId', ${id}, 'nickname', ${nickname}, 'profileImage', ${image}) end`;
}

/** SQL: report `r` is not about someone: nobody reads, claims or decides reports about themselves. */
export function isNotAbout(userId: string) {
  return sql<boolean>`case r.kind when 'profile' then r.target_id else r.subject_id end is distinct from ${userId}`;
}

/**
 * GET /api/desk/reports: reports to the operators, open ones or all, oldest first, apart from those about the caller.
 * @throws Refusal operator_required
 */
export const listDeskReports: Handler<typeof contract.desk.reports> = async (ctx, input) => {
  const { caller, db } = ctx;
  assertAllowed(deskAccess(caller.operator).review);
  const sort = `desk-${input.status ?? "open"}`;
  const cursor = decodeCursor(input.cursor, { sort, kind: "time" });
  const { reason, kind, topicId } = input;
  const { rows } = await sql<Row>`
    select r.id, r.created_at as key, r.kind, r.target_id, r.topic_id, t.title as topic_title, r.post_id, r.reason,
      r.details, r.snapshot, r.snapshot_erased_at, r.status, r.claimed_at, r.decided_at, r.decision,
      ${stateOf} as now_is,
      exists (select from legal_holds h where h.kind = r.kind and h.target_id = r.target_id and h.released_at is null)
        as is_held,
      record.resolved, record.dismissed, ${personJson("reporter")} as reporter, ${personJson("subject")} as subject, ${personJson("claimant")} as claimant
    from desk_reports r
    join users reporter on reporter.id = r.reporter_id
    left join users subject on subject.id = case when r.kind = 'profile' then r.target_id else r.subject_id end
    left join users claimant on claimant.id = r.claimed_by
    left join topics t on t.id = r.topic_id
    cross join lateral (
      select count(*) filter (where past.status = 'resolved')::int as resolved,
        count(*) filter (where past.status = 'dismissed')::int as dismissed
      from desk_reports past where past.reporter_id = r.reporter_id
    ) record
    where ${input.status === "all" ? sql`true` : sql`r.status = 'open'`} and ${isNotAbout(caller.userId)}
      ${reason ? sql`and r.reason = ${reason}` : sql``} ${kind ? sql`and r.kind = ${kind}` : sql``}
      ${topicId ? sql`and r.topic_id = ${topicId}` : sql``}
      ${cursor ? sql`and (r.created_at, r.id) > (${new Date(cursor.key)}, ${cursor.id})` : sql``}
    order by r.created_at, r.id limit ${input.limit + 1}`.execute(db);
  const page = pageOf(rows, { ...input, sort });
  return { reports: page.rows.map((row) => viewOf(row, ctx)), nextCursor: page.nextCursor };
};

function viewOf(row: Row, { caller, now: clock }: Pick<MemberContext, "caller" | "now">): DeskReport {
  const { claimant } = row;
  const now = clock();
  const claimedBy = claimantOf({ claimedBy: claimant?.userId ?? null, claimedAt: row.claimed_at, now });
  return {
    id: row.id,
    kind: row.kind,
    targetId: row.target_id,
    topicId: row.topic_id,
    topicTitle: row.topic_title,
    postId: row.post_id,
    reason: row.reason,
    details: row.details,
    snapshot: row.snapshot_erased_at ? null : row.snapshot,
    status: row.status,
    createdAt: row.key.toISOString(),
    reporter: row.reporter,
    reporterRecord: { resolved: row.resolved, dismissed: row.dismissed },
    state: row.now_is,
    acts: row.now_is === "gone" ? [] : [...deskActsOn(row.kind, caller.operator)],
    isHeld: row.is_held,
    subject: row.subject,
    claimedBy: claimedBy === null ? null : claimant,
    decidedAt: row.decided_at?.toISOString() ?? null,
    decision: row.decision,
  };
}

/** A report and the other open ones of the same content, locked. */
export interface Case extends Pick<DeskReportTable, "kind" | "target_id" | "topic_id"> {
  readonly openIds: readonly string[];
  /** Who is working on it, besides the caller. */
  readonly otherClaimant: string | null;
}

/**
 * Locks the open reports of the same content, in the order of their ids, so that claims and decisions of one case queue
 * and each sees the one before.
 * @throws Refusal report_not_found, also where it is about the caller
 */
export async function lockCase(trx: Trx, { caller, now }: MemberContext, reportId: string): Promise<Case> {
  const report = await trx
    .selectFrom("desk_reports as r")
    .select(["kind", "target_id", "topic_id"])
    .where("id", "=", reportId)
    .where(isNotAbout(caller.userId))
    .executeTakeFirst();
  if (!report) throw new Refusal("report_not_found");
  const open = await trx
    .selectFrom("desk_reports")
    .select(["id", "claimed_by", "claimed_at"])
    .where("kind", "=", report.kind)
    .where("target_id", "=", report.target_id)
    .where("status", "=", "open")
    .orderBy("id")
    .forUpdate()
    .execute();
  const at = now();
  const claimants = open.map((row) =>
    claimantOf({ claimedBy: row.claimed_by, claimedAt: row.claimed_at, now: at }),
  );
  const otherClaimant = claimants.find((userId) => userId !== null && userId !== caller.userId) ?? null;
  const isOpen = open.some(({ id }) => id === reportId);
  return { ...report, openIds: isOpen ? open.map(({ id }) => id) : [], otherClaimant };
}

/**
 * POST /api/desk/reports/{reportId}/claim: claims every open report of the same content. `claimed` is their number: 0 if
 * someone answered them first.
 * @throws Refusal operator_required, report_not_found, report_claimed
 */
export const claimReport: Handler<typeof contract.desk.claim> = async (ctx, { reportId }) => {
  assertAllowed(deskAccess(ctx.caller.operator).review);
  const claimed = await transact(ctx.db, async (trx) => {
    const { openIds, otherClaimant } = await lockCase(trx, ctx, reportId);
    if (otherClaimant) throw new Refusal("report_claimed");
    await setClaim(trx, openIds, { claimed_by: ctx.caller.userId, claimed_at: ctx.now() });
    return openIds.length;
  });
  return { success: true, claimed };
};

/**
 * DELETE /api/desk/reports/{reportId}/claim.
 * @throws Refusal operator_required, report_not_found; report_claimed for a reviewer, if it is someone else's claim
 */
export const releaseReport: Handler<typeof contract.desk.release> = async (ctx, { reportId }) => {
  const access = deskAccess(ctx.caller.operator);
  assertAllowed(access.review);
  await transact(ctx.db, async (trx) => {
    const { openIds, otherClaimant } = await lockCase(trx, ctx, reportId);
    if (otherClaimant && access.act !== "allowed") throw new Refusal("report_claimed");
    await setClaim(trx, openIds, { claimed_by: null, claimed_at: null });
  });
  return { success: true };
};

async function setClaim(
  trx: Trx,
  ids: readonly string[],
  claim: { readonly claimed_by: string | null; readonly claimed_at: Date | null },
): Promise<void> {
  if (ids.length === 0) return;
  await trx.updateTable("desk_reports").set(claim).where("id", "in", ids).execute();
}
