import { type Kysely, sql } from "kysely";

export const kind = "expand";

/** Polls whose votes nobody can trace: the crowd that votes, and the ballots with their proofs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // Number of the crowd's root as the poll opened; null where votes have names.
  "alter table polls add column ballot_root integer",
  // No time and no order. A later ballot of the same member takes the place of the one before.
  `create table secret_ballots (
    poll_id uuid not null references polls (id) on delete cascade,
    scope_nullifier text not null,
    counter integer not null,
    option_ids uuid[] not null,
    signal text not null,
    public_inputs text[] not null,
    proof bytea not null,
    primary key (poll_id, scope_nullifier)
  )`,
];
