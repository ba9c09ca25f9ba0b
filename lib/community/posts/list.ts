import { sql } from "kysely";
import type { Handler } from "@/lib/context";
import type { contract } from "@/lib/contract";
import { boundKey, decodeCursor, type KeyedId, pageOf } from "../paging";
import { authorizeTopic } from "../topics/load";
import { POST_SORT_KEYS, postFilter, postSource } from "./filter";
import { loadPosts } from "./load";
import { postView } from "./view";

/** GET /api/topics/{topicId}/posts: visible posts, pinned ones first in every sort. */
export const listPosts: Handler<typeof contract.posts.list> = async (ctx, input) => {
  const { caller, db } = ctx;
  const topic = await authorizeTopic(db, input.topicId, caller, "readContent");

  const { sort, limit, offset } = input;
  const key = POST_SORT_KEYS[sort];
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
};
