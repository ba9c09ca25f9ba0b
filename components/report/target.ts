import type { Client } from "@/components/call-api";
import type { ReportReason } from "@/lib/contract/moderation";

/** What a reader reports, as the API names it. */
export type ReportTarget =
  | { readonly kind: "post"; readonly postId: string }
  | { readonly kind: "comment"; readonly commentId: string }
  | { readonly kind: "message"; readonly topicId: string; readonly messageId: string }
  | { readonly kind: "topic"; readonly topicId: string }
  | { readonly kind: "profile"; readonly userId: string; readonly nickname: string }
  | { readonly kind: "tag"; readonly tag: string };

interface ReportBody {
  readonly reason: ReportReason;
  readonly details?: string;
}

/** Reports it. */
export function sendReport({ api, contract }: Client, target: ReportTarget, body: ReportBody) {
  switch (target.kind) {
    case "post":
      return api.call(contract.moderation.reportPost, { postId: target.postId, ...body });
    case "comment":
      return api.call(contract.moderation.reportComment, { commentId: target.commentId, ...body });
    case "message":
      return api.call(contract.moderation.reportMessage, {
        topicId: target.topicId,
        messageId: target.messageId,
        ...body,
      });
    case "topic":
      return api.call(contract.moderation.reportTopic, { topicId: target.topicId, ...body });
    case "profile":
      return api.call(contract.moderation.reportProfile, { userId: target.userId, ...body });
    case "tag":
      return api.call(contract.moderation.reportTag, { tag: target.tag, ...body });
  }
}
