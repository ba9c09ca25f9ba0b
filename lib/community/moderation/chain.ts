import { createHash } from "node:crypto";
import type { InstallationLogEntry } from "@/lib/contract/desk";
import type { LogEntry } from "@/lib/contract/moderation";

/*
 * Logs whose entries are chained by hashes: a topic's and the installation's. Imports no database, so that anyone can
 * verify an export offline (scripts/verify-log.ts).
 */

/** `previousHash` of the first entry. */
const NO_ENTRY_HASH = "0".repeat(64);

/** Returns the SHA-256 in hex of a JSON list without spaces. */
function chainHash(covered: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(covered)).digest("hex");
}

/** Returns details as a list of [name, value] ordered by name. */
function listed(details: Readonly<Record<string, string>>): (readonly [string, string])[] {
  return Object.entries(details).toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** The parts of an entry of a topic's log that its hash covers. */
export interface HashedEntry
  extends Omit<LogEntry, "at" | "actorNickname" | "subjectNickname" | "hash" | "details"> {
  readonly topicId: string;
  readonly at: Date;
  readonly details: Readonly<Record<string, string>>;
}

/**
 * Returns the SHA-256 in hex of the JSON list [topicId, seq, at (ISO 8601, ms, UTC), action, actorId, subjectId,
 * postId, commentId, reason, details as a list of [name, value] ordered by name, previousHash], without spaces. Anyone
 * with the entries can compute it. Changing or removing an entry later breaks every hash after it.
 */
export function entryHash(entry: HashedEntry): string {
  return chainHash([
    entry.topicId,
    entry.seq,
    entry.at.toISOString(),
    entry.action,
    entry.actorId,
    entry.subjectId,
    entry.postId,
    entry.commentId,
    entry.reason,
    listed(entry.details),
    entry.previousHash,
  ]);
}

/** The parts of an entry of the installation's log that its hash covers. */
export type HashedInstallationEntry = Omit<InstallationLogEntry, "at" | "hash" | "details"> & {
  readonly at: Date;
  readonly details: Readonly<Record<string, string>>;
};

/**
 * Returns the SHA-256 in hex of the JSON list ["installation", seq, at, action, role, actor, targetKind, targetId,
 * topicId, reason, details, previousHash], in the form of `entryHash`.
 */
export function installationEntryHash(entry: HashedInstallationEntry): string {
  return chainHash([
    "installation",
    entry.seq,
    entry.at.toISOString(),
    entry.action,
    entry.role,
    entry.actor,
    entry.targetKind,
    entry.targetId,
    entry.topicId,
    entry.reason,
    listed(entry.details),
    entry.previousHash,
  ]);
}

/**
 * Returns what the log says of an operator instead of their id. The nonce, which only the operators can read, shows who
 * it was.
 */
export function actorTag(nonce: string, actorId: string): string {
  return createHash("sha256").update(`${nonce}:${actorId}`).digest("hex");
}

/** A fault of a log: the sequence number where it shows, and what is wrong there. */
export interface LogFault {
  readonly seq: number;
  readonly problem: "missing or out of order" | "not chained to the previous entry" | "changed";
}

/** The last entry of an earlier reading, kept outside the log. */
export type RememberedHead = Pick<LogEntry, "seq" | "hash">;

type Chained = RememberedHead & Pick<LogEntry, "previousHash">;

/**
 * Verifies a topic's log: numbers from 1 without gaps, each entry chained to the previous one, each hash equal to that
 * of its entry. This detects every change, removal, move and insertion, except that the newest entries may be missing
 * or the whole log rewritten. A remembered entry of an earlier reading detects those too.
 *
 * @param entries all entries of GET /api/topics/{topicId}/log, oldest first
 * @returns the first fault, or null if the log is intact
 */
export function verifyLog(
  topicId: string,
  entries: readonly LogEntry[],
  remembered?: RememberedHead,
): LogFault | null {
  return verifyChain(
    entries,
    (entry) => entryHash({ ...entry, topicId, at: new Date(entry.at) }),
    remembered,
  );
}

/** As `verifyLog`, for the installation's log. @param entries all entries of GET /api/log, oldest first */
export function verifyInstallationLog(
  entries: readonly InstallationLogEntry[],
  remembered?: RememberedHead,
): LogFault | null {
  return verifyChain(
    entries,
    (entry) => installationEntryHash({ ...entry, at: new Date(entry.at) }),
    remembered,
  );
}

function verifyChain<Entry extends Chained>(
  entries: readonly Entry[],
  hashOf: (entry: Entry) => string,
  remembered?: RememberedHead,
): LogFault | null {
  let previousHash = NO_ENTRY_HASH;
  for (const [index, entry] of entries.entries()) {
    const seq = index + 1;
    if (entry.seq !== seq) return { seq, problem: "missing or out of order" };
    if (entry.previousHash !== previousHash) return { seq, problem: "not chained to the previous entry" };
    if (hashOf(entry) !== entry.hash) return { seq, problem: "changed" };
    if (remembered?.seq === seq && remembered.hash !== entry.hash) return { seq, problem: "changed" };
    previousHash = entry.hash;
  }
  const isShort = remembered !== undefined && remembered.seq > entries.length;
  return isShort ? { seq: entries.length + 1, problem: "missing or out of order" } : null;
}
