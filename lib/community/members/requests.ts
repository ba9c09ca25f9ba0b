import { sql } from "kysely";
import type { Trx } from "@/db/schema";
import type { JoinRequestTable } from "@/db/schema/community";
import type { MemberContext } from "@/lib/context";
import type { contract, HandlerInput, ResponseBody } from "@/lib/contract";
import { Refusal } from "@/lib/errors";
import { assertAllowed } from "@/lib/policy/decision";
import { topicAccess } from "@/lib/policy/topic";
import { logStaffAct } from "../moderation/log";
import { notify } from "../notifications/notify";
import { decodeCursor, pageOf } from "../paging";
import { loadTopic } from "../topics/load";
import { accessUnderLock, addMember, roleOf } from "../topics/membership";
import { type Applicant, banOf } from "../topics/membership-rules";
import { topicScoreLater } from "../topics/score";
import { viewerOf } from "../viewer";
import { write } from "../write";

interface RequestRow {
  readonly id: string;
  readonly key: Date;
  readonly user_id: string;
  readonly nickname: string;
  readonly profile_image: string | null;
  readonly status: JoinRequestTable["status"];
}

/**
 * GET /api/topics/{topicId}/requests: oldest first; those that wait, or with status=all every one.
 * @throws Refusal topic_not_found, not_a_member, role_required
 */
export async function listRequests(
  ctx: MemberContext,
  input: HandlerInput<typeof contract.requests.list>,
): Promise<ResponseBody<typeof contract.requests.list>> {
  const { caller, db } = ctx;
  const { limit, offset } = input;
  const topic = await loadTopic(db, input.topicId, caller.userId);
  assertAllowed(topicAccess(topic, viewerOf(caller, topic)).moderate);
  const sort = input.status ?? "pending";
  const cursor = decodeCursor(input.cursor, { sort, kind: "time" });
  const { rows } = await sql<RequestRow>`
    select r.id, r.created_at as key, r.user_id, u.nickname, u.profile_image, r.status
    from join_requests r join users u on u.id = r.user_id
    where r.topic_id = ${topic.id} ${sort === "all" ? sql`` : sql`and r.status = 'pending'`}
      ${cursor ? sql`and (r.created_at, r.id) > (${new Date(cursor.key)}, ${cursor.id})` : sql``}
    order by r.created_at, r.id limit ${limit + 1} offset ${offset}`.execute(db);
  const { nextCursor } = pageOf(rows, { limit, sort, cursor: input.cursor });
  return {
    requests: rows.slice(0, limit).map((row) => ({
      id: row.id,
      userId: row.user_id,
      nickname: row.nickname,
      profileImage: row.profile_image,
      status: row.status,
      createdAt: row.key.toISOString(),
    })),
    nextCursor,
  };
}

/**
 * PATCH /api/topics/{topicId}/requests: approving makes the asker a member in the same transaction. Somebody who has
 * entered meanwhile by another way just has the request closed; somebody banned stays out until the ban ends.
 * @throws Refusal topic_not_found, not_a_member, role_required, join_request_not_found, join_request_decided, banned
 */
export async function decideRequest(
  ctx: MemberContext,
  { topicId, requestId, action }: HandlerInput<typeof contract.requests.decide>,
): Promise<ResponseBody<typeof contract.requests.decide>> {
  const { caller } = ctx;
  const now = ctx.now();
  await write(ctx, async (trx, effects) => {
    const { access } = await accessUnderLock(trx, topicId, caller);
    assertAllowed(access.moderate);
    const request = await trx
      .selectFrom("join_requests")
      .select(["user_id", "status"])
      .where("id", "=", requestId)
      .where("topic_id", "=", topicId)
      .forUpdate()
      .executeTakeFirst();
    if (!request) throw new Refusal("join_request_not_found", { field: "requestId" });
    if (request.status !== "pending") throw new Refusal("join_request_decided");
    const userId = request.user_id;
    if (action === "approve") await admit(trx, { topicId, userId, now });
    await trx
      .updateTable("join_requests")
      .set({
        status: action === "approve" ? "approved" : "rejected",
        decided_at: now,
        decided_by: caller.userId,
      })
      .where("id", "=", requestId)
      .execute();
    await logStaffAct(trx, {
      topicId,
      actorId: caller.userId,
      subjectId: userId,
      action: action === "approve" ? "request_approved" : "request_rejected",
      now,
    });
    const kind = action === "approve" ? "join_approved" : "join_rejected";
    await notify(trx, effects, { topicId, actorId: caller.userId, now }, [{ kind, to: [userId] }]);
  });
  if (action === "approve") topicScoreLater(ctx, topicId);
  return { success: true };
}

async function admit(trx: Trx, who: Applicant): Promise<void> {
  const ban = await banOf(trx, who);
  if (ban) {
    throw new Refusal("banned", {
      extra: ban,
      message: "This user is banned from the topic; lift the ban first.",
    });
  }
  if (await roleOf(trx, who.topicId, who.userId)) return;
  await addMember(trx, who);
}
