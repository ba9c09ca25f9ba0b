import { type Kysely, sql } from "kysely";

export const kind = "contract";

/** Country gates may list excluded countries, and verifications say which kind of list theirs is. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  "alter table topics add column excluded_countries text[]",
  // PostgreSQL's own name for the first check of 002 over two columns: a country gate has allowed_countries.
  "alter table topics drop constraint topics_check",
  `alter table topics add constraint topics_country_gate
    check (num_nonnulls(allowed_countries, excluded_countries) = (proof_type = 'country')::int)`,
  "alter table verifications add column countries_included boolean",
  // All lists so far are of countries the holder lives in.
  "update verifications set countries_included = true where countries is not null",
  `alter table verifications add constraint verifications_countries
    check ((countries is null) = (countries_included is null))`,
];
