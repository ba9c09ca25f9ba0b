import { nameOf } from "@/components/ui/member-name";
import type { Notification } from "@/lib/contract";
import type { Words } from "@/lib/i18n/words";

/** What happened, as one sentence. */
export function alertSentence({ t }: Words, alert: Notification): string {
  const { actor, postTitle, topicTitle, details } = alert;
  const titled = (title: string) => t("alerts.titled", { title });
  return t(`alerts.sentences.${alert.kind}`, {
    who: actor ? nameOf({ t }, actor.nickname) : t("alerts.someone"),
    post: postTitle ? titled(postTitle) : t("alerts.aPost"),
    yourPost: postTitle ? t("alerts.yourPostTitled", { title: postTitle }) : t("alerts.yourPost"),
    topic: topicTitle ? titled(topicTitle) : t("alerts.aTopic"),
    where: alert.commentId ? "comment" : "post",
    to: details.to ?? "",
    role: details.role ?? "",
  });
}
