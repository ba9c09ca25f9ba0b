import { nameOf } from "@/components/ui/member-name";
import { commentPlace } from "@/lib/client/places";
import type { LogEntry } from "@/lib/contract/moderation";
import { clockTime, listed, longDay } from "@/lib/i18n/time";
import type { Words } from "@/lib/i18n/words";

const roles = ["owner", "admin", "member"] as const;
const topicFields = ["title", "description", "image"] as const;

/** What an entry of the log says, as one sentence. */
export function logSentence(words: Words, entry: LogEntry): string {
  const { t } = words;
  const { details, action } = entry;
  const role = roles.find((one) => one === details.role) ?? "member";
  const until = details.until ? endOf(words, new Date(details.until)) : t("log.always");
  return t(`log.sentences.${action}`, {
    actor: nameOf(words, entry.actorNickname),
    subject: entry.subjectNickname === null ? t("log.somebody") : nameOf(words, entry.subjectNickname),
    role: t(`log.roles.${role}`),
    until,
    fields: listed(words, fieldNames(words, details.fields ?? "")),
    n: Number(details.reports ?? 1),
  });
}

/** The same for every reader: a log is compared. */
function endOf(words: Words, moment: Date): string {
  const when = `${longDay(words, moment, "UTC")}, ${clockTime(words, moment, "UTC")}`;
  return words.t("log.until", { when });
}

/** Names of fields, as the log lists them, in words. */
function fieldNames({ t }: Words, fields: string): readonly string[] {
  return fields.split(", ").map((field) => {
    const known = topicFields.find((one) => one === field);
    return known ? t(`log.fields.${known}`) : field;
  });
}

/** Path of what an entry is about, where it stands on a page of its own. */
export function logPlace({ postId, commentId }: LogEntry): string | null {
  return postId && commentPlace(postId, commentId);
}
