import type { Context } from "@/lib/context";
import type { contract, HandlerInput, ResponseBody } from "@/lib/contract";
import { assertAllowed, isStaff } from "@/lib/policy/decision";
import { topicAccess } from "@/lib/policy/topic";
import { viewerOf } from "../viewer";
import { gateOf, requirementFor } from "./gate";
import { loadTopic } from "./load";
import { hasPendingRequest, muteOf } from "./membership-rules";
import { topicView } from "./view";

/** GET /api/topics/{topicId} */
export async function getTopic(
  ctx: Context,
  { topicId }: HandlerInput<typeof contract.topics.get>,
): Promise<ResponseBody<typeof contract.topics.get>> {
  const { caller } = ctx;
  const row = await loadTopic(ctx.db, topicId, caller?.userId ?? null);
  assertAllowed(topicAccess(row, viewerOf(caller, row)).see);
  const mayBeWaiting = caller !== null && row.role === null && row.visibility === "private";
  const gate = gateOf(row);
  return {
    topic: topicView(row, caller),
    currentUserRole: row.role,
    muted: row.muted && caller ? await muteOf(ctx.db, topicId, caller.userId) : null,
    openReports: isStaff(row.role) ? row.open_report_count : null,
    joinPending: mayBeWaiting && (await hasPendingRequest(ctx.db, topicId, caller.userId)),
    ...(gate && { proofRequirement: requirementFor(ctx, gate, joinUrl(topicId)) }),
  };
}

/** Path of the plain join, as proof guides name it. */
export function joinUrl(topicId: string): string {
  return `/api/topics/${topicId}/join`;
}
