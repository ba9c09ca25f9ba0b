import type { Handler } from "@/lib/context";
import type { contract } from "@/lib/contract";
import { write } from "../write";

/**
 * POST /api/notifications/read: marks the listed notifications as read, or with `upTo` that one and all earlier ones.
 * Ignores ids that are unknown or of other users.
 */
export const readNotifications: Handler<typeof contract.notifications.read> = async (ctx, { ids, upTo }) => {
  const { userId } = ctx.caller;
  const unreadCount = await write(ctx, async (trx, effects) => {
    // Lock order: the inbox before its notifications. All changes of one user's notifications queue here.
    const inbox = await trx
      .selectFrom("inboxes")
      .select("unread_count")
      .where("user_id", "=", userId)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!inbox || inbox.unread_count === 0) return 0;
    const { numUpdatedRows } = await trx
      .updateTable("notifications")
      .set({ read_at: ctx.now() })
      .where("user_id", "=", userId)
      .where("read_at", "is", null)
      .$if(ids !== undefined, (query) => query.where("id", "in", ids ?? []))
      .$if(upTo !== undefined, (query) =>
        query.where("position", "<=", (eb) =>
          eb
            .selectFrom("notifications as named")
            .select("named.position")
            .where("named.id", "=", upTo ?? "")
            .where("named.user_id", "=", userId),
        ),
      )
      .executeTakeFirst();
    const read = Number(numUpdatedRows);
    if (read === 0) return inbox.unread_count;
    const { unread_count } = await trx
      .updateTable("inboxes")
      .set((eb) => ({ unread_count: eb("unread_count", "-", read) }))
      .where("user_id", "=", userId)
      .returning("unread_count")
      .executeTakeFirstOrThrow();
    effects.publish({ kind: "inbox", userIds: [userId] });
    return unread_count;
  });
  return { unreadCount };
};
