import { sql } from "kysely";
import type { Trx } from "@/db/schema";
import type { JoinRequestTable } from "@/db/schema/community";
import type { Handler } from "@/lib/context";
import type { contract } from "@/lib/contract";
import { Refusal } from "@/lib/errors";
import { logStaffAct } from "../moderation/log";
import { notify } from "../notifications/notify";
import { decodeCursor, pageOf } from "../paging";
import { authorizeTopic } from "../topics/load";
import { addMember, authorizeLockedTopic, type NewMember, roleOf } from "../topics/membership";
import { banOf } from "../topics/membership-rules";
import { topicScoreLater } from "../topics/score";
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
 * GET /api/topics/{topicId}/requests: pending requests, or all with status=all, oldest first.
 * @throws Refusal topic_not_found, not_a_member, role_required
 */
export const listRequests: Handler<typeof contract.requests.list> = async (ctx, input) => {
  const { caller, db } = ctx;
  const topic = await authorizeTopic(db, input.topicId, caller, "moderate");
  const sort = input.status ?? "pending";
  const cursor = decodeCursor(input.cursor, { sort, kind: "time" });
  const { rows } = await sql<RequestRow>`
    select r.id, r.created_at as key, r.user_id, u.nickname, u.profile_image, r.status
    from join_requests r join users u on u.id = r.user_id
    where r.topic_id = ${topic.id} ${sort === "all" ? sql`` : sql`and r.status = 'pending'`}
      ${cursor ? sql`and (r.created_at, r.id) > (${new Date(cursor.key)}, ${cursor.id})` : sql``}
    order by r.created_at, r.id limit ${input.limit + 1} offset ${input.offset}`.execute(db);
  const page = pageOf(rows, { ...input, sort });
  return {
    requests: page.rows.map((row) => ({
      id: row.id,
      userId: row.user_id,
      nickname: row.nickname,
      profileImage: row.profile_image,
      status: row.status,
      createdAt: row.key.toISOString(),
    })),
    nextCursor: page.nextCursor,
  };
};

/**
 * PATCH /api/topics/{topicId}/requests: approves or rejects a request. Approving makes the user a member in the same
 * transaction, unless they joined in another way. A banned user cannot be approved.
 * @throws Refusal topic_not_found, not_a_member, role_required, join_request_not_found, join_request_decided, banned
 */
export const decideRequest: Handler<typeof contract.requests.decide> = async (
  ctx,
  { topicId, requestId, action },
) => {
  const { caller } = ctx;
  const now = ctx.now();
  await write(ctx, async (trx, effects) => {
    await authorizeLockedTopic(trx, topicId, caller, "moderate");
    const request = await trx
      .selectFrom("join_requests")
      .select(["user_id", "status", "created_at"])
      .where("id", "=", requestId)
      .where("topic_id", "=", topicId)
      .forUpdate()
      .executeTakeFirst();
    if (!request) throw new Refusal("join_request_not_found", { field: "requestId" });
    if (request.status !== "pending") throw new Refusal("join_request_decided");
    const userId = request.user_id;
    if (action === "approve") await approve(trx, { topicId, userId, provenAt: request.created_at, now });
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
};

async function approve(trx: Trx, who: NewMember): Promise<void> {
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
