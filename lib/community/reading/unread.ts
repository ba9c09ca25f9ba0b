import { type Expression, type RawBuilder, sql } from "kysely";
import { LIMITS } from "@/lib/contract/limits";

/** A number, or SQL for one. */
type Value = Expression<unknown> | string | number;

/** Who reads, in SQL. */
export interface Reader {
  readonly userId: Value;
  /** SQL: whether nothing folds away for them: staff of the topic (policy/block.ts), and those who blocked nobody. */
  readonly seesAll: Expression<boolean>;
}

/** Items of a topic or of a post, which are `i` in SQL. */
export type Items = "posts" | "chat" | "comments";

const tables: Readonly<
  Record<Items, { from: RawBuilder<unknown>; parent: RawBuilder<unknown>; author: RawBuilder<unknown> }>
> = {
  posts: { from: sql`posts i`, parent: sql`i.topic_id`, author: sql`i.author_id` },
  chat: { from: sql`chat_messages i`, parent: sql`i.topic_id`, author: sql`i.user_id` },
  comments: { from: sql`comments i`, parent: sql`i.post_id`, author: sql`i.author_id` },
};

/** SQL: from and where of the items that readers are shown. Its conditions are those of an index of each table. */
export function shown(kind: Items, parent: Value): RawBuilder<unknown> {
  const { from, parent: column } = tables[kind];
  const numbered = kind === "chat" ? sql`i.type = 'message'` : sql`i.position > 0`;
  return sql`${from} where ${column} = ${parent} and ${numbered} and i.deleted_at is null and i.hidden_at is null`;
}

/** SQL: from and where of the items that are new to a reader who has read up to a position. */
export function fresh(
  kind: Items,
  parent: Value,
  after: Value,
  { userId, seesAll }: Reader,
): RawBuilder<unknown> {
  const { author } = tables[kind];
  return sql`${shown(kind, parent)} and i.position > ${after} and ${author} <> ${userId}
    and (${seesAll} or ${author} not in (select k.blocked_id from blocks k where k.user_id = ${userId}))`;
}

/** SQL: the number of items that are new, at most `LIMITS.unread.most`. */
export function freshCount(kind: Items, parent: Value, after: Value, reader: Reader): RawBuilder<number> {
  return sql<number>`(select count(*)::int from
    (select from ${fresh(kind, parent, after, reader)} limit ${sql.lit(LIMITS.unread.most)}) new)`;
}
