import { sql } from "kysely";

/** Somebody a text names, under the nickname they have now. */
export interface Mention {
  readonly userId: string;
  readonly nickname: string;
}

/**
 * SQL: the mentions of a post's own text, or of a comment, as a JSON list ordered by nickname.
 * @param postId a column such as `p.id`
 * @param commentId a column; without it the post's own
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
