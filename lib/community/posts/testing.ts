import { sql } from "kysely";
import type { Db } from "@/db/schema";
import type { Harness } from "@/lib/testing/harness";
import { clientWith, signIn } from "../testing";

/** A global admin who belongs to no topic: a user, and typed calls with that role. */
export async function globalAdmin(h: Harness) {
  const user = await signIn(h, "global");
  return { user, api: clientWith(h, user, { adminUserIds: new Set([user.userId]) }) };
}

/** What a topic's log says of posts and comments, oldest first. */
export function staffActs(db: Db, topicId: string) {
  return db
    .selectFrom("moderation_log")
    .select(["action", "actor_id", "subject_id", "post_id", "comment_id", "details"])
    .where("topic_id", "=", topicId)
    .orderBy("seq")
    .execute();
}

/** What a tag's counters say, and what is there: live posts in public topics, and in this one. */
export async function tagCounts(db: Db, slug: string, topicId: string) {
  const { rows } = await sql<Record<"open" | "topic", readonly [counted: number, rows: number]>>`
    select json_build_array(t.public_post_count, count(p.id) filter (where p.is_public)) as open,
      json_build_array(coalesce(max(k.post_count), 0), count(p.id) filter (where p.topic_id = ${topicId})) as topic
    from tags t left join topic_tags k on k.tag_id = t.id and k.topic_id = ${topicId}
    left join (post_tags g join posts p on p.id = g.post_id and p.deleted_at is null) on g.tag_id = t.id
    where t.slug = ${slug} group by t.id`.execute(db);
  return rows[0];
}
