import { sql } from "kysely";
import type { Db } from "@/db/schema";
import type { Visibility } from "@/db/schema/community";
import { contract, type Notification } from "@/lib/contract";
import type { TestUser } from "@/lib/testing/harness";
import { addTo, type Cast, makePost } from "../testing";

/** A user's notifications, latest first. */
export async function notificationsOf(user: TestUser): Promise<Notification[]> {
  return (await user.api.call(contract.notifications.list, { limit: 100 })).notifications;
}

/** Deletes all notifications, so that a test sees only new ones. */
export async function clearNotifications(db: Db): Promise<void> {
  await db.deleteFrom("notifications").execute();
  await db.updateTable("inboxes").set({ unread_count: 0 }).execute();
}

/** Inboxes whose counters are not what their rows say. */
export async function wrongCounts(db: Db) {
  const { rows } = await sql`
    select i.user_id, i.unread_count, i.last_position, count(n.id) filter (where n.read_at is null)::int as unread,
      max(n.position) as last
    from inboxes i left join notifications n on n.user_id = i.user_id group by i.user_id
    having i.unread_count <> count(n.id) filter (where n.read_at is null) or i.last_position < max(n.position)`.execute(
    db,
  );
  return rows;
}

/** A topic with one more member, and a post and a comment of `member` in it. */
export async function makeScene(cast: Cast, other: TestUser, visibility: Visibility = "private") {
  const { member, h } = cast;
  const topicId = await cast.place(visibility);
  await addTo(h.db, topicId, other);
  const post = await makePost(member, topicId, "Title", "<p>Some words.</p>");
  const { comment } = await say(member, post.id, "A comment.");
  return { topicId, postId: post.id, commentId: comment.id };
}

/** Comments on a post, or answers a comment. */
export async function say(user: TestUser, postId: string, content: string, parentId?: string) {
  return await user.api.call(contract.comments.create, { postId, content, parentId });
}
