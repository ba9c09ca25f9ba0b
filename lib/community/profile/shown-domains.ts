import { sql } from "kysely";

/**
 * SQL: the domains somebody shows beside their name, as a JSON list in the order they were added. What was last proven
 * more than 30 days ago is not claimed any more, until it is proven again.
 * @param userId a column such as `p.author_id`
 * @param now without it the database's clock counts
 */
export function domainsShownBy(userId: string, now?: Date) {
  return sql<
    readonly string[]
  >`(select coalesce(json_agg(shown.domain order by shown.created_at, shown.domain), '[]')
    from domain_badges shown where shown.user_id = ${sql.ref(userId)} and exists (select from verifications proof
      where proof.user_id = shown.user_id and proof.domain_tag = shown.domain_tag and proof.expires_at > ${now ?? sql`now()`}))`;
}
