import { type RawBuilder, sql } from "kysely";
import { z } from "zod";
import { Refusal } from "@/lib/errors";
import { parseJson } from "@/lib/json";

/** How a sort key is stored, which limits its values in a cursor. */
export type KeyKind = "float" | "int" | "time";

/** A column that a list is ordered by, highest first, with ties broken by id. */
export interface SortKey {
  /** Column name; never taken from a request. */
  readonly column: string;
  readonly kind: KeyKind;
}

/** The end of a page: the key and id of its last row. Times are Unix milliseconds. */
export interface Cursor {
  readonly sort: string;
  readonly key: number;
  readonly id: string;
  /** Present in lists that put pinned rows first. */
  readonly pinned?: boolean;
}

/** A row of a list, before anything but its id and key is loaded. */
export interface KeyedId {
  readonly id: string;
  readonly key: number | Date;
  readonly pinned?: boolean;
}

/** The values a cursor may have for each kind of key. */
export const keySchemas: Record<KeyKind, z.ZodNumber> = {
  float: z.number(),
  int: z.number().int().min(-2_147_483_648).max(2_147_483_647),
  // PostgreSQL's timestamps end before JavaScript's; no row is older than 1970 or newer than the year 9999.
  time: z.number().int().min(0).max(253_402_300_799_999),
};

/** Encodes the parts of a cursor: base64url of a JSON list. */
export function encodeParts(parts: readonly (string | number | boolean)[]): string {
  return Buffer.from(JSON.stringify(parts)).toString("base64url");
}

/**
 * Decodes the parts of a cursor; null without a cursor.
 * @throws Refusal invalid_request with field cursor for anything the list did not issue
 */
export function decodeParts<T>(text: string | undefined, schema: z.ZodType<T>): T | null {
  if (text === undefined) return null;
  const read = schema.safeParse(parseJson(Buffer.from(text, "base64url").toString("utf8")));
  if (!read.success) throw badCursor();
  return read.data;
}

/** Encodes a cursor: [sort, key, id] or [sort, key, id, pinned]. */
export function encodeCursor(cursor: Cursor): string {
  const parts = [cursor.sort, cursor.key, cursor.id];
  return encodeParts(cursor.pinned === undefined ? parts : [...parts, cursor.pinned]);
}

/**
 * Decodes a cursor.
 * @param expected the list it must come from: its sort, the kind of its key, and whether pinned rows come first
 * @throws Refusal invalid_request with field cursor for anything this list did not issue
 */
export function decodeCursor(
  text: string | undefined,
  expected: { readonly sort: string; readonly kind: KeyKind; readonly pinned?: boolean },
): Cursor | null {
  // Most requests have none, and the schemas below are not free.
  if (text === undefined) return null;
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

/** Returns the cursor's key as a parameter for the database. */
export function boundKey(cursor: Cursor, kind: KeyKind): number | Date {
  return kind === "time" ? new Date(cursor.key) : cursor.key;
}

/** SQL: `and (key, id) < (…)` for the rows after the cursor, highest first; empty without a cursor. */
export function after(alias: string, key: SortKey, cursor: Cursor | null): RawBuilder<unknown> {
  if (!cursor) return sql``;
  const column = sql.ref(`${alias}.${key.column}`);
  const id = sql.ref(`${alias}.id`);
  return sql`and (${column}, ${id}) < (${boundKey(cursor, key.kind)}, ${cursor.id})`;
}

/** What a list request asks for. */
interface PageRequest {
  readonly limit: number;
  readonly cursor?: string;
}

/**
 * Cuts a list that was read with one row more than the page holds, and returns the cursor of the next page.
 * @param rows at most `limit + 1`, in order
 * @param cursorAt returns the cursor that continues after a row
 */
export function cutPage<Row>(
  rows: readonly Row[],
  { limit, cursor }: PageRequest,
  cursorAt: (row: Row) => string,
): { readonly rows: Row[]; readonly nextCursor: string | null } {
  const page = rows.slice(0, limit);
  // The next page after an empty page starts where that one would have.
  if (limit === 0) return { rows: page, nextCursor: cursor ?? null };
  const last = rows.length > limit ? page.at(-1) : undefined;
  return { rows: page, nextCursor: last ? cursorAt(last) : null };
}

/** As `cutPage`, for rows with id and key. */
export function pageOf<Row extends KeyedId>(
  rows: readonly Row[],
  request: PageRequest & { readonly sort: string },
) {
  const page = cutPage(rows, request, ({ id, key, pinned }) =>
    encodeCursor({ sort: request.sort, key: key instanceof Date ? key.getTime() : key, id, pinned }),
  );
  return { ...page, ids: page.rows.map(({ id }) => id) };
}

/** Returns the rows in the order of the ids, without ids whose row is gone. */
export function inOrder<Row extends { readonly id: string }>(
  ids: readonly string[],
  rows: readonly Row[],
): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/**
 * Whether text can be the id of a record. PostgreSQL refuses to compare a uuid with anything else. Routes validate
 * their path; pages pass theirs on unchecked.
 */
export function isRecordId(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}
