import type { ChatMessage } from "@/lib/contract";

/** What stands below each other in a chat. */
export type ChatRow =
  | { readonly kind: "day"; readonly key: string; readonly at: string }
  /** Everything below arrived since the reader was last here. */
  | { readonly kind: "new"; readonly key: string; readonly at: string }
  /** Comings and goings in a row. */
  | { readonly kind: "comings"; readonly key: string; readonly entries: readonly ChatMessage[] }
  /** Messages of one person in a row. */
  | {
      readonly kind: "said";
      readonly key: string;
      readonly entries: readonly [ChatMessage, ...ChatMessage[]];
    };

/** A pause this long begins a new group, with its own name and time. */
const GROUP_MS = 5 * 60_000;

/**
 * Groups entries for reading.
 * @param zone IANA time zone in which days begin
 * @param markId the first entry the reader has not seen, or null
 */
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
      if (last?.kind === "comings") rows[rows.length - 1] = { ...last, entries: [...last.entries, entry] };
      else rows.push({ kind: "comings", key: entry.id, entries: [entry] });
    } else if (last?.kind === "said" && continues(last.entries, entry)) {
      rows[rows.length - 1] = { ...last, entries: [...last.entries, entry] };
    } else {
      rows.push({ kind: "said", key: entry.id, entries: [entry] });
    }
  }
  return rows;
}

function continues(group: readonly [ChatMessage, ...ChatMessage[]], entry: ChatMessage): boolean {
  const last = group.at(-1) ?? group[0];
  return (
    group[0].userId === entry.userId && Date.parse(entry.createdAt) - Date.parse(last.createdAt) < GROUP_MS
  );
}

/** "2026-11-22" of a moment in a time zone. */
export function dayFormat(zone: string): (moment: string | Date) => string {
  // Sweden writes dates as ISO does.
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short" });
  return (moment) => format.format(new Date(moment));
}

/** Who came in and who went, each person once, by what they did last. */
export function comings(entries: readonly ChatMessage[]): {
  readonly came: readonly string[];
  readonly left: readonly string[];
} {
  const last = new Map(entries.map((entry) => [entry.userId, entry] as const));
  const names = (type: ChatMessage["type"]) =>
    [...last.values()].filter((entry) => entry.type === type).map(({ nickname }) => nickname);
  return { came: names("join"), left: names("leave") };
}
