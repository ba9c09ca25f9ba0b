import type { ChatMessage } from "@/lib/contract";

/** A row of a chat. */
export type ChatRow =
  | { readonly kind: "day"; readonly key: string; readonly at: string }
  /** Everything below is new since the reader's last visit. */
  | { readonly kind: "new"; readonly key: string; readonly at: string }
  /** Consecutive joins and leaves. */
  | { readonly kind: "joins"; readonly key: string; readonly entries: readonly ChatMessage[] }
  /** Consecutive messages of one member. */
  | { readonly kind: "messages"; readonly key: string; readonly entries: MessageGroup };
export type MessageGroup = readonly [ChatMessage, ...ChatMessage[]];

/** A pause this long starts a new group of messages, with its own name and time. */
const GROUP_MS = 5 * 60_000;

/** Groups entries for reading. @param zone of the reader @param markId the first entry they have not seen, or null */
export function chatRows(
  entries: readonly ChatMessage[],
  zone: string,
  markId: string | null = null,
): readonly ChatRow[] {
  const dayOf = dayFormat(zone);
  const rows: ChatRow[] = [];
  let day = "";
  for (const entry of entries) {
    const entryDay = dayOf(entry.createdAt);
    if (entryDay !== day) {
      rows.push({ kind: "day", key: `day-${entryDay}`, at: entry.createdAt });
      day = entryDay;
    }
    if (entry.id === markId) rows.push({ kind: "new", key: "new", at: entry.createdAt });
    const last = rows.at(-1);
    if (entry.type !== "message") {
      if (last?.kind === "joins") rows[rows.length - 1] = { ...last, entries: [...last.entries, entry] };
      else rows.push({ kind: "joins", key: entry.id, entries: [entry] });
    } else if (last?.kind === "messages" && continues(last.entries, entry)) {
      rows[rows.length - 1] = { ...last, entries: [...last.entries, entry] };
    } else {
      rows.push({ kind: "messages", key: entry.id, entries: [entry] });
    }
  }
  return rows;
}

/**
 * Gives each group the key that it had, so that it is not rendered anew when older entries join it at its beginning.
 * @param keys the keys so far, by the ids of entries; changed
 */
export function keepKeys(rows: readonly ChatRow[], keys: Map<string, string>): readonly ChatRow[] {
  const used = new Set<string>();
  return rows.map((row) => {
    if (!("entries" in row)) return row;
    const known = row.entries
      .map(({ id }) => keys.get(id))
      .find((key) => key !== undefined && !used.has(key));
    // A group that was divided: its first part has the key.
    const key = known ?? (used.has(row.key) ? `${row.key}-more` : row.key);
    used.add(key);
    for (const { id } of row.entries) keys.set(id, key);
    return { ...row, key };
  });
}

function continues(group: MessageGroup, entry: ChatMessage): boolean {
  const { userId, createdAt, authorDomains, automated } = group.at(-1) ?? group[0];
  // A group shows one mark and one seal: somebody may show theirs from a moment on.
  if (automated !== entry.automated) return false;
  if (userId !== entry.userId || String(authorDomains) !== String(entry.authorDomains)) return false;
  return Date.parse(entry.createdAt) - Date.parse(createdAt) < GROUP_MS;
}

/** Returns a function that formats a moment as "2026-11-22" in a time zone. */
export function dayFormat(zone: string): (moment: string | Date) => string {
  // Sweden writes dates in ISO format.
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short" });
  return (moment) => format.format(new Date(moment));
}

/** Returns who joined and who left, each member once, by what they did last. */
export function joinsAndLeaves(entries: readonly ChatMessage[]): {
  readonly joined: readonly string[];
  readonly left: readonly string[];
} {
  const last = new Map(entries.map((entry) => [entry.userId, entry] as const));
  const names = (type: ChatMessage["type"]) =>
    [...last.values()].filter((entry) => entry.type === type).map(({ nickname }) => nickname);
  return { joined: names("join"), left: names("leave") };
}
