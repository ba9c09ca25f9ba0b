import type { Handler } from "@/lib/context";
import type { contract } from "@/lib/contract";
import { isStaff } from "@/lib/policy/decision";
import { proofRequirementFor } from "@/lib/session/guides";
import { gateOf, joinUrl } from "./gate";
import { authorizeTopic, topicView } from "./load";
import { hasPendingRequest, muteOf } from "./membership-rules";

/** GET /api/topics/{topicId} */
export const getTopic: Handler<typeof contract.topics.get> = async (ctx, { topicId }) => {
  const { caller } = ctx;
  const row = await authorizeTopic(ctx.db, topicId, caller, "see");
  const mayHaveRequest = caller !== null && row.role === null && row.visibility === "private";
  const gate = gateOf(row);
  return {
    topic: topicView(row, caller),
    currentUserRole: row.role,
    muted: row.muted && caller ? await muteOf(ctx.db, topicId, caller.userId) : null,
    userSettings: caller && { isMuted: row.user_muted, notifications: row.user_level ?? "all" },
    openReports: isStaff(row.role) ? row.open_report_count : null,
    joinPending: mayHaveRequest && (await hasPendingRequest(ctx.db, topicId, caller.userId)),
    ...(gate && { proofRequirement: proofRequirementFor(ctx.deployment, gate, joinUrl(topicId)) }),
  };
};
