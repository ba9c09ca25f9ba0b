import type { Handler } from "@/lib/context";
import type { contract } from "@/lib/contract";
import { proofState } from "@/lib/policy/freshness";
import { topicAccess } from "@/lib/policy/topic";
import { proofRequirementFor } from "@/lib/session/guides";
import { viewerOf } from "../viewer";
import { gateOf, joinUrl } from "./gate";
import { authorizeTopic, topicView } from "./load";
import { hasPendingRequest, muteOf } from "./membership-rules";

/** GET /api/topics/{topicId} */
export const getTopic: Handler<typeof contract.topics.get> = async (ctx, { topicId }) => {
  const { caller } = ctx;
  const row = await authorizeTopic(ctx.db, topicId, caller, "see");
  const mayHaveRequest = caller !== null && row.role === null && row.visibility === "private";
  const gate = gateOf(row);
  const isStaff = topicAccess(row, viewerOf(caller, row)).moderate === "allowed";
  return {
    topic: topicView(row, caller),
    currentUserRole: row.role,
    muted: row.muted && caller ? await muteOf(ctx.db, topicId, caller.userId) : null,
    userSettings: caller && { isMuted: row.user_muted, notifications: row.user_level ?? "all" },
    proof: gate && row.role && row.proven_at ? proofView(row.proven_at, row.reprove_by, ctx.now()) : null,
    reviewWords: isStaff ? row.review_words : null,
    openReports: isStaff ? row.open_report_count : null,
    joinPending: mayHaveRequest && (await hasPendingRequest(ctx.db, topicId, caller.userId)),
    ...(gate && { proofRequirement: proofRequirementFor(ctx.deployment, gate, joinUrl(topicId)) }),
  };
};

/** Returns when a member proved what the gate asks for, and until when that counts. */
function proofView(provenAt: Date, by: Date | null, now: Date) {
  return {
    provenAt: provenAt.toISOString(),
    reproveBy: by?.toISOString() ?? null,
    state: proofState(by, now),
  };
}
