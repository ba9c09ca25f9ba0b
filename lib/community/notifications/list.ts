import { sql } from "kysely";
import type { Db } from "@/db/schema";
import type { Handler } from "@/lib/context";
import type { contract } from "@/lib/contract";
import { decodeCursor, pageOf } from "../paging";
import { loadNotifications, notificationView } from "./view";

/** GET /api/notifications: all or the unread ones, latest first, in two queries. */
export const listNotifications: Handler<typeof contract.notifications.list> = async (
  { caller, db },
  input,
) => {
  const unread = input.unread === "true";
  const sort = unread ? "unread" : "inbox";
  const cursor = decodeCursor(input.cursor, { sort, kind: "int" });
  const rows = await loadNotifications(
    db,
    caller.userId,
    sql`${unread ? sql`and n.read_at is null` : sql``} ${cursor ? sql`and n.position < ${cursor.key}` : sql``}
      order by n.position desc limit ${input.limit + 1}`,
  );
  const page = pageOf(rows, { ...input, sort });
  return {
    notifications: page.rows.map(notificationView),
    unreadCount: await unreadCountOf(db, caller.userId),
    nextCursor: page.nextCursor,
  };
};

/** Returns the number of a user's unread notifications. */
export async function unreadCountOf(db: Db, userId: string): Promise<number> {
  const row = await db
    .selectFrom("inboxes")
    .select("unread_count")
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return row?.unread_count ?? 0;
}
