import { sql } from "kysely";
import type { Context } from "@/lib/context";
import type { contract, HandlerInput, ResponseBody } from "@/lib/contract";
import { assertAllowed } from "@/lib/policy/decision";
import { topicAccess } from "@/lib/policy/topic";
import { boundKey, decodeCursor, type KeyedId, pageOf } from "../paging";
import { loadTopic } from "../topics/load";
import { viewerOf } from "../viewer";
import { postFilter, postSource } from "./filter";
import { loadPosts } from "./load";
import { postSortKeys } from "./sorts";
import { postView } from "./view";

/** GET /api/topics/{topicId}/posts: live posts, pinned ones first whatever the sort. */
export async function listPosts(
  ctx: Context,
  input: HandlerInput<typeof contract.posts.list>,
): Promise<ResponseBody<typeof contract.posts.list>> {
  const { caller, db } = ctx;
  const topic = await loadTopic(db, input.topicId, caller?.userId ?? null);
  assertAllowed(topicAccess(topic, viewerOf(caller, topic)).readContent);

  const { sort, limit, offset } = input;
  const key = postSortKeys[sort];
  const column = sql.ref(`p.${key.column}`);
  const cursor = decodeCursor(input.cursor, { sort, kind: key.kind, pinned: true });
  const filter = await postFilter(db, { tag: input.tag }, { topicId: topic.id });
  if (!filter) return { posts: [], nextCursor: null };

  const ids = await sql<KeyedId>`
    select p.id, ${column} as key, p.is_pinned as pinned from ${postSource(filter)}
    where p.topic_id = ${topic.id} and p.deleted_at is null and p.hidden_at is null
      ${filter.where}
      ${cursor ? sql`and (p.is_pinned, ${column}, p.id) < (${cursor.pinned}, ${boundKey(cursor, key.kind)}, ${cursor.id})` : sql``}
    order by p.is_pinned desc, ${column} desc, p.id desc
    limit ${limit + 1} offset ${offset}`.execute(db);
  const page = pageOf(ids.rows, { limit, sort, cursor: input.cursor });
  const now = ctx.now();
  const rows = await loadPosts(db, page.ids, caller?.userId ?? null);
  return { posts: rows.map((row) => postView(row, caller, now)), nextCursor: page.nextCursor };
}
