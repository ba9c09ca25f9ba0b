import { type Kysely, sql } from "kysely";
import type { Migrations } from "@/lib/sql/index";

/** Job tokens become their SHA-256: those that clients hold go on working. */
export const jobTokenHashes: Migrations[string] = {
  async up(db: Kysely<unknown>) {
    // A change of type writes the table anew; after an update the old rows would lie in its file until a vacuum.
    await sql`alter table payment alter column job_token type text
      using encode(sha256(convert_to(job_token, 'UTF8')), 'hex')`.execute(db);
    // Under another name, so that no process of an earlier release takes a hash for a token.
    await db.schema.alterTable("payment").renameColumn("job_token", "job_token_hash").execute();
  },
};
