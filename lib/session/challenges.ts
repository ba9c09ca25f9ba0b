import { randomBytes } from "node:crypto";
import type { Db, Trx } from "@/db/schema";
import type { Context } from "@/lib/context";

/** Lifetime of a challenge in seconds (design/api.md). */
export const challengeSeconds = 300;

/** An unused, unexpired challenge. */
export interface OpenChallenge {
  readonly id: string;
  readonly nonce: string;
  /** The user who requested it while signed in; null for a guest. */
  readonly userId: string | null;
  readonly createdAt: Date;
}

/**
 * Starts a sign-in or a join. Whoever intercepts the proof learns the nonce, but cannot sign in without the id, which
 * only the requesting client has.
 */
export async function createChallenge({ db, caller, deployment, now }: Context) {
  const { id, nonce } = await makeChallenge(db, caller?.userId ?? null, now());
  return { challengeId: id, scope: deployment.scope, nonce, expiresIn: challengeSeconds };
}

/** Creates a challenge for this user, or for a guest. */
export async function makeChallenge(db: Db | Trx, userId: string | null, createdAt: Date) {
  const challenge = {
    id: `ch_${randomBytes(18).toString("base64url")}`,
    nonce: randomBytes(32).toString("base64url"),
    expiresAt: new Date(createdAt.getTime() + challengeSeconds * 1000),
  };
  const { id, nonce, expiresAt } = challenge;
  await db
    .insertInto("challenges")
    .values({ id, nonce, user_id: userId, created_at: createdAt, expires_at: expiresAt })
    .execute();
  return challenge;
}

export interface ChallengeQuery {
  readonly id?: string;
  readonly nonce?: string;
  readonly userId?: string;
  /** Exclusive. */
  readonly madeBefore?: Date;
}

/** Returns the newest open challenge that matches, or null. */
export async function findChallenge(db: Db, query: ChallengeQuery, now: Date): Promise<OpenChallenge | null> {
  const [youngest] = await findChallenges(db, query, now, 1);
  return youngest ?? null;
}

/** Returns the open challenges that match, newest first, at most `limit`. */
export async function findChallenges(
  db: Db,
  query: ChallengeQuery,
  now: Date,
  limit: number,
): Promise<OpenChallenge[]> {
  let rows = db.selectFrom("challenges").selectAll().where("expires_at", ">", now);
  if (query.id !== undefined) rows = rows.where("id", "=", query.id);
  if (query.nonce !== undefined) rows = rows.where("nonce", "=", query.nonce);
  if (query.userId !== undefined) rows = rows.where("user_id", "=", query.userId);
  if (query.madeBefore !== undefined) rows = rows.where("created_at", "<", query.madeBefore);
  const found = await rows.orderBy("created_at", "desc").limit(limit).execute();
  return found.map((row) => ({
    id: row.id,
    nonce: row.nonce,
    userId: row.user_id,
    createdAt: row.created_at,
  }));
}
