import { type Kysely, sql } from "kysely";

/**
 * What somebody proved is kept sealed. A migration has no key: rows of before are sealed, and emptied, when the app
 * starts (lib/session/seal-old-facts.ts).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  "alter table verifications add column sealed text, add column facts_tag text, add column domain_tag text",
  "alter table domain_badges add column domain_tag text",
  // A start finds by these that nothing is left to seal.
  "create index verifications_unsealed on verifications (id) where sealed is null",
  "create index domain_badges_untagged on domain_badges (user_id) where domain_tag is null",
  // Kept from now on: what is sealed stands nowhere else in its row.
  `alter table verifications add constraint verifications_sealed
    check (sealed is null or (facts_tag is not null and num_nonnulls(domain, countries, countries_included) = 0))`,
];
