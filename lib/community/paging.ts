import { type RawBuilder, sql } from "kysely";
import { z } from "zod";
import { Refusal } from "@/lib/errors";
import { parseJson } from "@/lib/json";

/** How a sort key is stored, and so which values a cursor may carry for it. */
export type KeyKind = "float" | "int" | "time";

/** A column that a list is ordered by, highest first, ties by id. */
export interface SortKey {
  /** Column name; never taken from a request. */
  readonly column: string;
  readonly kind: KeyKind;
}

/** Where a page ended: the key and id of its last row. Times are Unix milliseconds. */
export interface Cursor {
  readonly sort: string;
  readonly key: number;
  readonly id: string;
  /** Present in lists that put pinned rows first. */
  readonly pinned?: boolean;
}

/** A row of an id list, before anything is loaded. */
export interface KeyedId {
  readonly id: string;
  readonly key: number | Date;
  readonly pinned?: boolean;
}

/** What a cursor may carry for a key of each kind. */
export const keySchemas: Record<KeyKind, z.ZodNumber> = {
  float: z.number(),
  int: z.number().int().min(-2_147_483_648).max(2_147_483_647),
  // PostgreSQL's timestamps end before JavaScript's; nothing here is older than 1970 or newer than the year 9999.
  time: z.number().int().min(0).max(253_402_300_799_999),
};

/** Opaque text of a cursor's parts: base64url of them as a JSON list. */
export function encodeParts(parts: readonly (string | number | boolean)[]): string {
  return Buffer.from(JSON.stringify(parts)).toString("base64url");
}

/**
 * Reads the parts of a cursor back; null without a cursor.
 * @throws Refusal invalid_request with field cursor for anything the list did not issue
 */
export function decodeParts<T>(text: string | undefined, schema: z.ZodType<T>): T | null {
  if (text === undefined) return null;
  const read = schema.safeParse(parseJson(Buffer.from(text, "base64url").toString("utf8")));
  if (!read.success) throw badCursor();
  return read.data;
}

/** Opaque text of a cursor: [sort, key, id] or [sort, key, id, pinned]. */
export function encodeCursor(cursor: Cursor): string {
  const parts = [cursor.sort, cursor.key, cursor.id];
  return encodeParts(cursor.pinned === undefined ? parts : [...parts, cursor.pinned]);
}

/**
 * Reads a cursor back.
 * @param expected the list it must have come from: its sort, the kind of its key, whether pinned rows lead
 * @throws Refusal invalid_request with field cursor for anything this list did not issue
 */
export function decodeCursor(
  text: string | undefined,
  expected: { readonly sort: string; readonly kind: KeyKind; readonly pinned?: boolean },
): Cursor | null {
  const parts = [z.literal(expected.sort), keySchemas[expected.kind], z.uuid()] as const;
  if (expected.pinned) {
    const read = decodeParts(text, z.tuple([...parts, z.boolean()]));
    return read && { sort: read[0], key: read[1], id: read[2], pinned: read[3] };
  }
  const read = decodeParts(text, z.tuple([...parts]));
  return read && { sort: read[0], key: read[1], id: read[2] };
}

function badCursor(): Refusal {
  return new Refusal("invalid_request", {
    field: "cursor",
    message: "The cursor does not belong to this list and sort order.",
  });
}

/** The cursor's key as the database wants it. */
export function boundKey(cursor: Cursor, kind: KeyKind): number | Date {
  return kind === "time" ? new Date(cursor.key) : cursor.key;
}

/** `and (key, id) < (…)` for rows after the cursor, highest first; nothing without a cursor. */
export function after(alias: string, key: SortKey, cursor: Cursor | null): RawBuilder<unknown> {
  if (!cursor) return sql``;
  const column = sql.ref(`${alias}.${key.column}`);
  const id = sql.ref(`${alias}.id`);
  return sql`and (${column}, ${id}) < (${boundKey(cursor, key.kind)}, ${cursor.id})`;
}

export interface Page {
  readonly ids: string[];
  readonly nextCursor: string | null;
}

/**
 * Cuts a list that was read with one row more than the page holds, and says where the next page starts.
 * @param rows at most `limit + 1`, in order
 */
export function pageOf(
  rows: readonly KeyedId[],
  request: { readonly limit: number; readonly sort: string; readonly cursor?: string },
): Page {
  const ids = rows.slice(0, request.limit).map((row) => row.id);
  // An empty page was asked for: whoever continues, continues from where they were.
  if (request.limit === 0) return { ids, nextCursor: request.cursor ?? null };
  const last = rows.length > request.limit ? rows[request.limit - 1] : undefined;
  if (!last) return { ids, nextCursor: null };
  const key = last.key instanceof Date ? last.key.getTime() : last.key;
  return {
    ids,
    nextCursor: encodeCursor({ sort: request.sort, key, id: last.id, pinned: last.pinned }),
  };
}

/** Rows in the order of the ids they were loaded for; ids that are gone by now are left out. */
export function inOrder<Row extends { readonly id: string }>(
  ids: readonly string[],
  rows: readonly Row[],
): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
