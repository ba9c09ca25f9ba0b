import { createHash } from "node:crypto";
import { setImmediate as yieldToRequests } from "node:timers/promises";
import { sql } from "kysely";
import type { Db, Trx } from "@/db/schema";
import type { Context } from "@/lib/context";
import { Refusal } from "@/lib/errors";

/*
 * Operators take an image down by the digest of its bytes: all uploads with it go, and no other comes (desk/files.ts).
 * Whoever marks an upload as stored, and whoever blocks a digest, holds the lock of the digest until the commit: so one
 * of the two sees the other.
 */

/** Files of earlier releases that get their digest in one round. */
const ROUND = 50;

/** Returns the SHA-256 of a file, hex. */
export function digestOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Locks digests until the end of the transaction, in an order that all share. */
export async function lockDigests(trx: Trx, digests: readonly string[]): Promise<void> {
  for (const digest of [...new Set(digests)].toSorted()) {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`upload ${digest}`}, 0))`.execute(trx);
  }
}

/**
 * Refuses images that operators took down.
 * @throws Refusal upload_blocked, with field `field`
 */
export async function assertNotBlocked(
  db: Db | Trx,
  digests: readonly string[],
  field: string,
): Promise<void> {
  const blocked = await db
    .selectFrom("blocked_files")
    .select("id")
    .where("sha256", "in", [...digests])
    .limit(1)
    .executeTakeFirst();
  if (blocked) throw new Refusal("upload_blocked", { field });
}

/** Adds the digests of these files where they have none, and returns those of all. Files that are gone have none. */
export async function digestsOf(
  { db, storage }: Pick<Context, "db" | "storage">,
  keys: readonly string[],
): Promise<string[]> {
  if (keys.length === 0) return [];
  const rows = await db
    .selectFrom("uploads")
    .select(["key", "sha256"])
    .where("key", "in", [...keys])
    .where("stored", "=", true)
    .execute();
  const digests = new Set<string>();
  for (const { key, sha256 } of rows) {
    const digest = sha256 ?? (await addDigest({ db, storage }, key));
    if (digest) digests.add(digest);
  }
  return [...digests];
}

async function addDigest(
  { db, storage }: Pick<Context, "db" | "storage">,
  key: string,
): Promise<string | null> {
  const bytes = (await storage.read(key)) ?? (await storage.readWithheld(key));
  // An empty digest marks a file that is missing, so that housekeeping does not look for it in each round.
  const digest = bytes ? digestOf(bytes) : "";
  await db.updateTable("uploads").set({ sha256: digest }).where("key", "=", key).execute();
  return digest || null;
}

/** Adds digests to files of earlier releases, a number in each round. */
export async function addMissingDigests({ db, storage }: Pick<Context, "db" | "storage">): Promise<void> {
  const rows = await db
    .selectFrom("uploads")
    .select("key")
    .where("stored", "=", true)
    .where("sha256", "is", null)
    .orderBy("key")
    .limit(ROUND)
    .execute();
  for (const { key } of rows) {
    await addDigest({ db, storage }, key);
    await yieldToRequests();
  }
}
