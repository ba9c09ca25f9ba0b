import { z } from "zod";
import {
  type LogFault,
  type RememberedHead,
  verifyInstallationLog,
  verifyLog,
} from "@/lib/community/moderation/chain";
import { contract } from "@/lib/contract";
import { parseJson } from "@/lib/json";

/** What an export was found to be. */
export interface Verified {
  readonly entries: number;
  /** The newest entry, to keep for the next time; null for an empty log. */
  readonly head: RememberedHead | null;
  readonly fault: LogFault | null;
}

export interface VerifyOptions {
  /** Topic of the log; without it, the export is of the installation's log. */
  readonly topicId?: string;
  /** An entry of an earlier reading. */
  readonly seen?: RememberedHead;
}

const installationEntries = contract.desk.log.responses[200].shape.entries;
const topicEntries = contract.moderation.log.responses[200].shape.entries;

/** Thrown for a text that is no export of this kind of log. */
export class NotAnExport extends Error {
  override readonly name = "NotAnExport";
}

/**
 * Verifies an export of a log without asking anyone.
 * @param text entries or pages of the API, as one JSON value or one per line, in any order
 * @throws NotAnExport
 */
export function verifyExport(text: string, { topicId, seen }: VerifyOptions = {}): Verified {
  const values = valuesIn(text).flatMap(entriesOf);
  if (topicId === undefined) {
    const entries = oldestFirst(read(installationEntries, values));
    return { ...headOf(entries), fault: verifyInstallationLog(entries, seen) };
  }
  const entries = oldestFirst(read(topicEntries, values));
  return { ...headOf(entries), fault: verifyLog(topicId, entries, seen) };
}

function valuesIn(text: string): unknown[] {
  const whole = parseJson(text);
  if (whole !== undefined && whole !== null) return [whole];
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line, index) => {
      const value = parseJson(line);
      if (value === undefined || value === null) throw new NotAnExport(`line ${index + 1} is not JSON`);
      return value;
    });
}

const page = z.object({ entries: z.array(z.unknown()) });

function entriesOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(entriesOf);
  const asPage = page.safeParse(value);
  return asPage.success ? asPage.data.entries : [value];
}

function read<Entry>(schema: z.ZodType<Entry[]>, values: readonly unknown[]): Entry[] {
  const entries = schema.safeParse(values);
  if (entries.success) return entries.data;
  const [issue] = entries.error.issues;
  throw new NotAnExport(`not an entry of this log: ${issue?.path.join(".")} ${issue?.message}`);
}

function oldestFirst<Entry extends RememberedHead>(entries: readonly Entry[]): Entry[] {
  return entries.toSorted((a, b) => a.seq - b.seq);
}

function headOf(entries: readonly RememberedHead[]) {
  const last = entries.at(-1);
  return { entries: entries.length, head: last ? { seq: last.seq, hash: last.hash } : null };
}
