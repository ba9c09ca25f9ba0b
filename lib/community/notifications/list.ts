import { sql } from "kysely";
import type { Db } from "@/db/schema";
import type { MemberContext } from "@/lib/context";
import type { contract, HandlerInput, ResponseBody } from "@/lib/contract";
import { decodeCursor, pageOf } from "../paging";
import { loadNotifications } from "./load";
import { notificationView } from "./view";

/** GET /api/notifications: latest first, all of them or those that are unread. Two queries, whatever their number. */
export async function listNotifications(
  { caller, db }: MemberContext,
  input: HandlerInput<typeof contract.notifications.list>,
): Promise<ResponseBody<typeof contract.notifications.list>> {
  const { limit } = input;
  const unread = input.unread === "true";
  const sort = unread ? "unread" : "inbox";
  const cursor = decodeCursor(input.cursor, { sort, kind: "int" });
  const rows = await loadNotifications(
    db,
    caller.userId,
    sql`${unread ? sql`and n.read_at is null` : sql``} ${cursor ? sql`and n.position < ${cursor.key}` : sql``}
      order by n.position desc limit ${limit + 1}`,
  );
  const { nextCursor } = pageOf(rows, { limit, sort, cursor: input.cursor });
  return {
    notifications: rows.slice(0, limit).map(notificationView),
    unreadCount: await unreadCountOf(db, caller.userId),
    nextCursor,
  };
}

/** How many notifications of a user are unread. */
export async function unreadCountOf(db: Db, userId: string): Promise<number> {
  const row = await db
    .selectFrom("inboxes")
    .select("unread_count")
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return row?.unread_count ?? 0;
}
