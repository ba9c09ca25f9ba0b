import { describe, expect, it } from "vitest";
import { Refusal } from "@/lib/errors";
import { decodeCursor, encodeCursor, inOrder, pageOf } from "./paging";

const id = "0190a0a0-0000-4000-8000-000000000001";
const opaque = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

describe("cursors", () => {
  it("carry doubles bit for bit", () => {
    for (const key of [0.1 + 0.2, 14_071.055_555_555_557, -1e-300, Number.MAX_VALUE]) {
      const cursor = { sort: "hot", key, id };
      expect(decodeCursor(encodeCursor(cursor), { sort: "hot", kind: "float" })).toEqual(cursor);
    }
  });

  it("carry the pin where a list has pins", () => {
    const cursor = { sort: "new", key: 1_700_000_000_000, id, pinned: true };
    expect(decodeCursor(encodeCursor(cursor), { sort: "new", kind: "time", pinned: true })).toEqual(cursor);
  });

  it("mean the first page when absent", () => {
    expect(decodeCursor(undefined, { sort: "new", kind: "time" })).toBeNull();
  });

  // Everything a client can make up must be a 400 here and never reach the database, where it would be a 500.
  it.each([
    ["not base64", "%%%"],
    ["not JSON", Buffer.from("{").toString("base64url")],
    ["no list", opaque({ sort: "top" })],
    ["another sort", opaque(["hot", 1, id])],
    ["too short", opaque(["top", 1])],
    ["too long", opaque(["top", 1, id, true])],
    ["an id that is none", opaque(["top", 1, "x"])],
    ["a key that is text", opaque(["top", "1", id])],
    ["a fraction for an integer", opaque(["top", 1.5, id])],
    ["more than an integer holds", opaque(["top", 3_000_000_000, id])],
    ["no number", opaque(["top", null, id])],
  ])("refuse %s", (_, text) => {
    const read = () => decodeCursor(text, { sort: "top", kind: "int" });
    expect(read).toThrow(Refusal);
    expect(read).toThrow(
      expect.objectContaining({
        code: "invalid_request",
        details: expect.objectContaining({ field: "cursor" }),
      }),
    );
  });

  it.each([
    ["before 1970", -1],
    ["after 9999", 9e15],
    ["a fraction", 1.5],
  ])("refuse a time %s", (_, key) => {
    expect(() => decodeCursor(opaque(["new", key, id]), { sort: "new", kind: "time" })).toThrow(Refusal);
  });

  it("refuse a list without pins where pins lead", () => {
    const expected = { sort: "top", kind: "int", pinned: true } as const;
    expect(() => decodeCursor(opaque(["top", 1, id]), expected)).toThrow(Refusal);
    expect(() => decodeCursor(opaque(["top", 1, id, 1]), expected)).toThrow(Refusal);
  });
});

describe("pageOf", () => {
  const rows = [3, 2, 1].map((key) => ({ key, id }));

  it("ends with null when no row is left over", () => {
    expect(pageOf(rows, { limit: 3, sort: "top" }).nextCursor).toBeNull();
  });

  it("continues after the last row of the page, not after the one read ahead", () => {
    const page = pageOf(rows, { limit: 2, sort: "top" });
    expect(page.ids).toHaveLength(2);
    expect(page.nextCursor && decodeCursor(page.nextCursor, { sort: "top", kind: "int" })?.key).toBe(2);
  });

  it("returns an empty page's own cursor, so that nothing is skipped", () => {
    expect(pageOf(rows, { limit: 0, sort: "top", cursor: "here" })).toEqual({
      rows: [],
      ids: [],
      nextCursor: "here",
    });
  });
});

describe("inOrder", () => {
  it("keeps the order of ids and leaves out what is gone", () => {
    expect(inOrder(["b", "gone", "a"], [{ id: "a" }, { id: "b" }])).toEqual([{ id: "b" }, { id: "a" }]);
  });
});
