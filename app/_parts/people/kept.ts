import { LIMITS } from "@/lib/contract/limits";
import type { Words } from "@/lib/i18n/words";

/** What this installation keeps: rows of the table on /privacy. `kept.test.ts` finds a row for each table of the database. */
export const keptNames = [
  "account",
  "proof",
  "used",
  "badge",
  "sessions",
  "tokens",
  "writing",
  "drafts",
  "files",
  "acts",
  "presence",
  "records",
  "membership",
  "crowd",
  "anonymous",
  "lists",
  "reading",
  "notifications",
  "push",
  "reports",
  "moderation",
  "apps",
  "webhooks",
  "holds",
  "notes",
  "limits",
  "brief",
  "network",
  "prover",
  "backups",
] as const;

/** For how many days something is kept, from the limits that the code enforces. */
export const days = { ...LIMITS.days, snapshotDays: LIMITS.moderation.snapshotDays };

/** Returns what is kept, for how long, and who can see it. */
export function keptRows({ t }: Words) {
  return keptNames.map((row) => ({
    row,
    what: t(`privacy.rows.${row}.what`),
    howLong: t(`privacy.rows.${row}.howLong`, days),
    who: t(`privacy.rows.${row}.who`),
  }));
}
