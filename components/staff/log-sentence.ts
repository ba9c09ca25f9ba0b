import { nameOf } from "@/components/ui/member-name";
import { commentPlace } from "@/lib/client/places";
import type { LogEntry } from "@/lib/contract/moderation";
import { clockTime, listed, longDay } from "@/lib/i18n/time";
import type { Words } from "@/lib/i18n/words";

const ROLES = ["owner", "admin", "member"] as const;
const TOPIC_FIELDS = [
  "title",
  "description",
  "image",
  "reproveDays",
  "slowModeSeconds",
  "linksAfterPosts",
  "rules",
  "reviewWords",
  "anonymous",
] as const;

/** Describes an entry of the moderation log in one sentence. */
export function logSentence(words: Words, entry: LogEntry): string {
  const { t } = words;
  const { details, action } = entry;
  const role = ROLES.find((one) => one === details.role) ?? "member";
  const until = details.until ? endOf(words, new Date(details.until)) : t("log.always");
  return t(`log.sentences.${action}`, {
    actor: entry.actorNickname === null ? t("log.somebody") : nameOf(words, entry.actorNickname),
    subject: entry.subjectNickname === null ? t("log.somebody") : nameOf(words, entry.subjectNickname),
    role: t(`log.roles.${role}`),
    until,
    fields: listed(words, fieldNames(words, details.fields ?? "")),
    host: details.host ?? "",
    n: Number(details.texts ?? details.reports ?? 1),
  });
}

/** Formats a moment in UTC, so that the log reads the same for everyone. */
function endOf(words: Words, moment: Date): string {
  const when = `${longDay(words, moment, "UTC")}, ${clockTime(words, moment, "UTC")}`;
  return words.t("log.until", { when });
}

function fieldNames({ t }: Words, fields: string): readonly string[] {
  return fields.split(", ").map((field) => {
    const known = TOPIC_FIELDS.find((one) => one === field);
    return known ? t(`log.fields.${known}`) : field;
  });
}

/** Returns the path of the post or comment an entry is about, or null. */
export function logPlace({ postId, commentId }: LogEntry): string | null {
  return postId && commentPlace(postId, commentId);
}
