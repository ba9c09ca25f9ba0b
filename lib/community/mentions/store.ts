import { sql } from "kysely";
import type { Trx } from "@/db/schema";
import { nicknameKey } from "@/lib/session/users";

/** A mentioned user, with their current nickname. */
export interface Mention {
  readonly userId: string;
  readonly nickname: string;
}

/**
 * SQL: the mentions of a post's own text or of a comment, as a JSON list ordered by nickname.
 * @param postId a column such as `p.id`
 * @param commentId a column, or nothing for the post's own text
 */
export function mentionsOf(postId: string, commentId?: string) {
  const place = commentId ? sql`named.comment_id = ${sql.ref(commentId)}` : sql`named.comment_id is null`;
  return sql<
    Mention[]
  >`(select coalesce(json_agg(json_build_object('userId', who.id, 'nickname', who.nickname)
      order by who.nickname_key), '[]')
    from mentions named join users who on who.id = named.user_id and who.deleted_at is null
    where named.post_id = ${sql.ref(postId)} and ${place})`;
}

/** Users that one text can mention. */
const MAX_MENTIONS = 10;

/**
 * Returns the first ten members of a topic with these nicknames, in any case. It locks their rows, so that nobody who
 * withdraws concurrently is mentioned. Call it after any lock of the topic's row (lock order: topics, users).
 * @param names in the order they appear
 */
export async function membersNamed(trx: Trx, topicId: string, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return [];
  const { rows } = await sql<{ id: string; nickname_key: string }>`
    select u.id, u.nickname_key from users u
    join memberships m on m.user_id = u.id and m.topic_id = ${topicId}
    where u.nickname_key = any(${names.map(nicknameKey)}::text[]) and u.deleted_at is null
    order by u.id collate "C" for key share of u`.execute(trx);
  const ids = new Map(rows.map((row) => [row.nickname_key, row.id]));
  return names.flatMap((name) => ids.get(nicknameKey(name)) ?? []).slice(0, MAX_MENTIONS);
}

/** The text that mentions users: a post, or a comment under it. */
export interface MentionPlace {
  readonly topicId: string;
  readonly postId: string;
  /** Null for the post's own text. */
  readonly commentId: string | null;
}

/** Returns the rows of a text's mentions: the members that it names. */
async function mentionRows(trx: Trx, { topicId, postId, commentId }: MentionPlace, names: readonly string[]) {
  const ids = await membersNamed(trx, topicId, names);
  return ids.map((user_id) => ({ post_id: postId, comment_id: commentId, user_id }));
}

/**
 * Replaces the mentions of a text.
 * @param names from `namesInText` or `namesInHtml`
 * @returns the users who were not mentioned there before
 */
export async function replaceMentions(
  trx: Trx,
  place: MentionPlace,
  names: readonly string[],
): Promise<string[]> {
  const rows = await mentionRows(trx, place, names);
  const ids = rows.map((row) => row.user_id);
  await trx
    .deleteFrom("mentions")
    .where("post_id", "=", place.postId)
    .where("comment_id", "is not distinct from", place.commentId)
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

/** Writes the mentions of a new text. @returns the mentioned users */
export async function addMentions(
  trx: Trx,
  place: MentionPlace,
  names: readonly string[],
): Promise<string[]> {
  const rows = await mentionRows(trx, place, names);
  if (rows.length > 0) await trx.insertInto("mentions").values(rows).execute();
  return rows.map((row) => row.user_id);
}
