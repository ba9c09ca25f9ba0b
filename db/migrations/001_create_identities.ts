import { type Kysely, sql } from "kysely";

export const kind = "expand";

/** Users, accepted proofs, open challenges, ended sessions, and the embedded cache. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("users")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("identity_hash", "text", (c) => c.unique())
    .addColumn("nickname", "text", (c) => c.notNull())
    .addColumn("nickname_key", "text", (c) => c.notNull().unique())
    .addColumn("nickname_set", "boolean", (c) => c.notNull().defaultTo(false))
    .addColumn("profile_image", "text")
    .addColumn("created_at", "timestamptz", (c) => c.notNull().defaultTo(sql`now()`))
    .addColumn("deleted_at", "timestamptz")
    .execute();

  await db.schema
    .createTable("verifications")
    .addColumn("id", "uuid", (c) => c.primaryKey().defaultTo(sql`gen_random_uuid()`))
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("circuit", "text", (c) => c.notNull())
    .addColumn("provider", "text")
    .addColumn("domain", "text")
    .addColumn("countries", sql`text[]`)
    .addColumn("identity_hash", "text", (c) => c.notNull())
    .addColumn("verified_at", "timestamptz", (c) => c.notNull())
    .addColumn("expires_at", "timestamptz", (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex("verifications_by_user")
    .on("verifications")
    .columns(["user_id", "circuit", "expires_at"])
    .execute();
  await expiryIndex(db, "verifications");

  await db.schema
    .createTable("used_proofs")
    .addColumn("statement_hash", "text", (c) => c.primaryKey())
    .addColumn("used_at", "timestamptz", (c) => c.notNull().defaultTo(sql`now()`))
    .execute();

  await db.schema
    .createTable("challenges")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("nonce", "text", (c) => c.notNull().unique())
    .addColumn("user_id", "text")
    .addColumn("created_at", "timestamptz", (c) => c.notNull())
    .addColumn("expires_at", "timestamptz", (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex("challenges_by_user")
    .on("challenges")
    .columns(["user_id", "created_at"])
    .where(sql.ref("user_id"), "is not", null)
    .execute();
  await expiryIndex(db, "challenges");

  await db.schema
    .createTable("revoked_sessions")
    .addColumn("jti", "text", (c) => c.primaryKey())
    .addColumn("expires_at", "timestamptz", (c) => c.notNull())
    .execute();
  await expiryIndex(db, "revoked_sessions");

  await db.schema
    .createTable("cache_entries")
    .addColumn("key", "text", (c) => c.primaryKey())
    .addColumn("value", "text", (c) => c.notNull())
    .addColumn("expires_at", "timestamptz", (c) => c.notNull())
    .execute();
  await expiryIndex(db, "cache_entries");
}

/** For the sweep of expired rows. */
async function expiryIndex(db: Kysely<unknown>, table: string): Promise<void> {
  await db.schema.createIndex(`${table}_by_expiry`).on(table).column("expires_at").execute();
}
