import { sql } from "kysely";
import type { MemberContext } from "@/lib/context";
import type { EventStream } from "@/lib/contract";
import { eventFrame, type Feed } from "@/lib/live";
import { isRecordId } from "../paging";
import { unreadCountOf } from "./list";
import { loadNotifications, notificationView } from "./view";

/** A user's new notifications, and how many are unread. */
const notificationFeed: Feed = {
  keyedBy: "user",
  async look(db, userIds) {
    const rows = await db
      .selectFrom("inboxes")
      .select(["user_id", "last_position", "unread_count"])
      .where("user_id", "in", [...userIds])
      .execute();
    return new Map(
      rows.map((row) => [row.user_id, { position: row.last_position, version: String(row.unread_count) }]),
    );
  },
  async after(db, userId, position, limit) {
    const rows = await loadNotifications(
      db,
      userId,
      sql`and n.position > ${position} order by n.position limit ${limit}`,
    );
    return rows.map((row) => ({
      position: row.key,
      frame: eventFrame("notification", notificationView(row), row.id),
    }));
  },
  async positionOf(db, userId, id) {
    if (!isRecordId(id)) return null;
    const row = await db
      .selectFrom("notifications")
      .select("position")
      .where("id", "=", id)
      .where("user_id", "=", userId)
      .executeTakeFirst();
    return row?.position ?? null;
  },
  async state(db, userId) {
    return eventFrame("unread", { unreadCount: await unreadCountOf(db, userId) });
  },
};

/** GET /api/me/events: `unread` at first and on every change, missed notifications, then new ones. */
export async function followNotifications(
  ctx: MemberContext & { readonly connection: { readonly lastEventId: string | null } },
): Promise<EventStream> {
  const { caller, connection, live } = ctx;
  return await live.follow(notificationFeed, caller.userId, { caller, lastEventId: connection.lastEventId });
}
