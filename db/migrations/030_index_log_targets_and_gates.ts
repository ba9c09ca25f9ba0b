import { type Kysely, sql } from "kysely";

export const kind = "expand";

/** Indexes by which the latest act of operators on something is found, and the topics that a proof opens. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  "create index if not exists installation_log_target on installation_log (target_kind, target_id, seq)",
  `create index if not exists topics_gate on topics (proof_type, required_domain)
    where proof_type <> 'none' and visibility <> 'secret'`,
];
