import type { InstallationLogEntry } from "@/lib/contract/desk";
import { clockTime, longDay } from "@/lib/i18n/time";
import type { Words } from "@/lib/i18n/words";

/** Describes an entry of the installation's log in one sentence. It names neither the operator nor whom it met. */
export function siteLogSentence(words: Words, entry: InstallationLogEntry): string {
  const { t } = words;
  const { action, details, role, targetKind } = entry;
  return t(`siteLog.sentences.${action}`, {
    who: t(`siteLog.roles.${role}`),
    what: t(`siteLog.kinds.${targetKind}`),
    role: details.role === "operator" ? "operator" : "reviewer",
    until: details.until ? endOf(words, new Date(details.until)) : t("log.always"),
    n: Number(details.reports ?? details.files ?? 1),
  });
}

/** A moment in UTC, so that the log reads the same for everyone. */
function endOf(words: Words, moment: Date): string {
  const when = `${longDay(words, moment, "UTC")}, ${clockTime(words, moment, "UTC")}`;
  return words.t("log.until", { when });
}
