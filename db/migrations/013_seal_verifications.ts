import { type Kysely, sql } from "kysely";

export const kind = "contract";

/**
 * Proven facts are sealed. A migration has no key: the app seals and empties existing rows when it starts
 * (lib/session/fact-seals.ts).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  "alter table verifications add column sealed text, add column facts_tag text, add column domain_tag text",
  "alter table domain_badges add column domain_tag text",
  // With these a start finds that nothing is left to seal.
  "create index verifications_unsealed on verifications (id) where sealed is null",
  "create index domain_badges_untagged on domain_badges (user_id) where domain_tag is null",
  // Enforced from now on: sealed facts are nowhere else in their row.
  `alter table verifications add constraint verifications_sealed
    check (sealed is null or (facts_tag is not null and num_nonnulls(domain, countries, countries_included) = 0))`,
];
