import { sql } from "kysely";
import type { Trx } from "@/db/schema";
import { nicknameKey } from "@/lib/session/users";

/** Most people one text can name. */
const maxMentions = 10;

/**
 * Members of a topic with these nicknames, whatever their case: the first ten of the names that are anybody's. Their
 * rows are held, so that nobody is named who has withdrawn by the end of the transaction. To be asked after the
 * topic's row was taken, where it is taken at all: a withdrawal takes topics before users.
 * @param names in the order they appear
 */
export async function membersNamed(trx: Trx, topicId: string, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return [];
  const { rows } = await sql<{ id: string; nickname_key: string }>`
    select u.id, u.nickname_key from users u
    join memberships m on m.user_id = u.id and m.topic_id = ${topicId}
    where u.nickname_key in (${sql.join(names.map(nicknameKey))}) and u.deleted_at is null
    order by u.id collate "C" for key share of u`.execute(trx);
  const ids = new Map(rows.map((row) => [row.nickname_key, row.id]));
  return names.flatMap((name) => ids.get(nicknameKey(name)) ?? []).slice(0, maxMentions);
}

/** Where people are named: a post, or a comment under it. */
export interface MentionPlace {
  readonly topicId: string;
  readonly postId: string;
  /** Null for the post's own text. */
  readonly commentId: string | null;
}

/**
 * Makes these names the mentions of a text, in place of those it had.
 * @param names as find.ts reads them
 * @returns who was not named there before
 */
export async function replaceMentions(
  trx: Trx,
  { topicId, postId, commentId }: MentionPlace,
  names: readonly string[],
): Promise<string[]> {
  const ids = await membersNamed(trx, topicId, names);
  const rows = ids.map((user_id) => ({ post_id: postId, comment_id: commentId, user_id }));
  await trx
    .deleteFrom("mentions")
    .where("post_id", "=", postId)
    .where("comment_id", "is not distinct from", commentId)
    .$if(ids.length > 0, (query) => query.where("user_id", "not in", ids))
    .execute();
  if (rows.length === 0) return [];
  const added = await trx
    .insertInto("mentions")
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returning("user_id")
    .execute();
  return added.map((row) => row.user_id);
}

/** The first mentions of a new text. @returns who is named */
export async function addMentions(
  trx: Trx,
  { topicId, postId, commentId }: MentionPlace,
  names: readonly string[],
): Promise<string[]> {
  const ids = await membersNamed(trx, topicId, names);
  const rows = ids.map((user_id) => ({ post_id: postId, comment_id: commentId, user_id }));
  if (rows.length > 0) await trx.insertInto("mentions").values(rows).execute();
  return ids;
}
