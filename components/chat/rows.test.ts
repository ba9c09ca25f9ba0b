import { describe, expect, it } from "vitest";
import type { ChatMessage } from "@/lib/contract";
import { chatRows, joinsAndLeaves, keepKeys } from "./rows";

let next = 0;
function entry(time: string, userId: string, type: ChatMessage["type"] = "message"): ChatMessage {
  const id = `id-${next++}`;
  return {
    id,
    topicId: "t",
    userId,
    nickname: userId,
    profileImage: null,
    automated: false,
    message: id,
    type,
    createdAt: time,
    replyTo: null,
    editedAt: null,
    isDeleted: false,
    deletedBy: null,
    isHidden: false,
    authorDomains: [],
    reactions: [],
    revision: next,
  };
}
const shape = (rows: ReturnType<typeof chatRows>) =>
  rows.map((row) => ("entries" in row ? `${row.kind} ${row.entries.length}` : row.kind));

describe("keys of groups", () => {
  const at = (minute: number, userId = "a") => entry(`2026-11-22T10:0${minute}:00.000Z`, userId);
  const keysOf = (rows: ReturnType<typeof chatRows>) =>
    rows.flatMap((row) => ("entries" in row ? [row.key] : []));

  it("stay when entries join a group at either end", () => {
    const [older, first, second, later] = [at(0), at(1), at(2), at(3)];
    const keys = new Map<string, string>();
    const of = (...entries: ChatMessage[]) => keysOf(keepKeys(chatRows(entries, "UTC"), keys));
    expect(of(first, second)).toEqual([first.id]);
    expect(of(older, first, second)).toEqual([first.id]);
    expect(of(older, first, second, later)).toEqual([first.id]);
    expect(of(older, first, second, later, at(3, "b"))).toHaveLength(2);
  });

  it("differ when a group is divided", () => {
    const entries = [at(0), at(1), at(2)];
    const keys = new Map<string, string>();
    keepKeys(chatRows(entries, "UTC"), keys);
    for (const mark of [1, 2, 1, null]) {
      const id = mark === null ? null : (entries[mark]?.id ?? null);
      const found = keysOf(keepKeys(chatRows(entries, "UTC", id), keys));
      expect(new Set(found).size).toBe(found.length);
    }
  });
});

describe("rows of a chat", () => {
  it("join what one person says without a pause", () => {
    const rows = chatRows(
      [
        entry("2026-11-22T12:00:00.000Z", "ada"),
        entry("2026-11-22T12:04:00.000Z", "ada"),
        entry("2026-11-22T12:10:00.000Z", "ada"),
        entry("2026-11-22T12:10:01.000Z", "bela"),
      ],
      "UTC",
    );
    expect(shape(rows)).toEqual(["day", "messages 2", "messages 1", "messages 1"]);
  });

  it("begin anew where somebody begins to show a domain", () => {
    const before = entry("2026-11-22T12:00:00.000Z", "ada");
    const after = { ...entry("2026-11-22T12:01:00.000Z", "ada"), authorDomains: ["acme.example"] };
    const later = { ...entry("2026-11-22T12:02:00.000Z", "ada"), authorDomains: ["acme.example"] };
    expect(shape(chatRows([before, after, later], "UTC"))).toEqual(["day", "messages 1", "messages 2"]);
  });

  it("begin days in the reader's time zone", () => {
    const entries = [entry("2026-11-22T14:59:00.000Z", "ada"), entry("2026-11-22T15:01:00.000Z", "ada")];
    expect(shape(chatRows(entries, "UTC"))).toEqual(["day", "messages 2"]);
    expect(shape(chatRows(entries, "Asia/Seoul"))).toEqual(["day", "messages 1", "day", "messages 1"]);
  });

  it("fold joins and leaves, and draw a line before what is new", () => {
    const entries = [
      entry("2026-11-22T12:00:00.000Z", "ada", "join"),
      entry("2026-11-22T12:00:01.000Z", "bela", "join"),
      entry("2026-11-22T12:00:02.000Z", "ada"),
      entry("2026-11-22T12:00:03.000Z", "ada"),
      entry("2026-11-22T12:00:04.000Z", "ada", "leave"),
    ];
    const rows = chatRows(entries, "UTC", entries[3]?.id);
    expect(shape(rows)).toEqual(["day", "joins 2", "messages 1", "new", "messages 1", "joins 1"]);
  });

  it("count everybody once, by what they did last", () => {
    const found = joinsAndLeaves([
      entry("2026-11-22T12:00:00.000Z", "ada", "join"),
      entry("2026-11-22T12:00:01.000Z", "bela", "join"),
      entry("2026-11-22T12:00:02.000Z", "ada", "leave"),
    ]);
    expect(found).toEqual({ joined: ["bela"], left: ["ada"] });
  });
});
