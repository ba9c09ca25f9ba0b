import { type RawBuilder, sql } from "kysely";
import { ANONYMOUS_ID, type AnonymousAuthor } from "@/lib/contract/anonymous-author";
import { pseudonymOf } from "@/lib/proofs/anonymous/pseudonym";

/** What queries read of an anonymous author. */
export interface AnonymousRow {
  readonly scope: string;
  readonly crowd: number;
  readonly isAuthorOfPost: boolean;
}

/** SQL: the anonymous author of the act `a` that this condition names. */
export function authorsOf(which: RawBuilder<unknown>): RawBuilder<AnonymousRow | null> {
  return sql`(select json_build_object('scope', a.scope_nullifier, 'crowd', r.size,
      'isAuthorOfPost', a.comment_id is null or exists (select from anonymous_acts first where first.post_id = a.post_id
        and first.comment_id is null and first.scope_nullifier = a.scope_nullifier))
    from anonymous_acts a join crowd_roots r on r.topic_id = a.topic_id and r.number = a.root where ${which})`;
}

/** SQL: as `authorsOf`, without a look at the acts for what somebody wrote under their name. */
export function authorOf(authorId: string, which: RawBuilder<unknown>): RawBuilder<AnonymousRow | null> {
  return sql`case when ${sql.ref(authorId)} = ${sql.lit(ANONYMOUS_ID)} then ${authorsOf(which)} end`;
}

/** Returns what readers learn of an anonymous author; null for an author with a name. */
export function anonymousAuthorOf(row: AnonymousRow | null): AnonymousAuthor | null {
  if (!row) return null;
  const { scope, crowd, isAuthorOfPost } = row;
  return { pseudonym: pseudonymOf(BigInt(scope)), crowd, isAuthorOfPost };
}
