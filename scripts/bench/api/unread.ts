import { sql } from "kysely";
import type { Db } from "@/db/schema";
import { unreadOf } from "@/lib/community/reading/counts";
import { quantile, type Row } from "../row";

/** Topics of one member. */
const TOPICS = 500;
/** A member of no other topic. */
const READER = "v1";
const WARM_UP = 10;
const RUNS = 101;
/** Of the median, for the member as they are on most days. */
const MOST_MS = 15;

/**
 * Measures the query that counts what is new in 500 topics, on a filled database: for a member who left up to 150 posts
 * and messages unread in each, and 500 threads, half of them with something new; and for one who never read any.
 */
export async function unreadRows(db: Db, posts: number): Promise<Row[]> {
  await sql`insert into memberships (topic_id, user_id, role, joined_at)
    select id, ${READER}, 'member', now() from topics order by created_at, id offset 1 limit ${TOPICS}`.execute(
    db,
  );
  await sql`insert into thread_reads (user_id, post_id, topic_id, position, read_at)
    select ${READER}, p.id, p.topic_id, n % 2, now() from (
      select p.id, p.topic_id, row_number() over (order by p.position desc, p.id) as n
      from posts p join memberships m on m.topic_id = p.topic_id and m.user_id = ${READER}) p limit 500`.execute(
    db,
  );
  const none = await times(db);
  await sql`insert into topic_reads (user_id, topic_id, post_position, chat_position, read_at)
    select ${READER}, t.id, greatest(0, t.post_position - n * 37 % 150), greatest(0, c.last_position - n * 41 % 150), now()
    from (select t.*, row_number() over (order by t.created_at, t.id) as n from topics t) t
    join memberships m on m.topic_id = t.id and m.user_id = ${READER}
    join chat_rooms c on c.topic_id = t.id`.execute(db);
  const some = await times(db);
  const label = `unread counts of ${TOPICS} topics in one query, ${posts.toLocaleString("en")} posts`;
  return [
    { name: label, value: quantile(some, 0.5), unit: "ms", limit: { most: MOST_MS } },
    { name: `${label}: 95 of 100`, value: quantile(some, 0.95), unit: "ms" },
    { name: `${label}: everything unread`, value: quantile(none, 0.5), unit: "ms" },
  ];
}

/** Returns how long the query took, in milliseconds, the shortest first. */
async function times(db: Db): Promise<number[]> {
  await sql`vacuum analyze memberships, topic_reads, thread_reads`.execute(db);
  const taken: number[] = [];
  for (let run = -WARM_UP; run < RUNS; run += 1) {
    const began = performance.now();
    await unreadOf(db, READER);
    if (run >= 0) taken.push(performance.now() - began);
  }
  return taken.toSorted((a, b) => a - b);
}
