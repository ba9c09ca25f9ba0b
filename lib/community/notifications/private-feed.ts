import { createHash, randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { Db } from "@/db/schema";
import type { Context, Handler } from "@/lib/context";
import type { contract, Post } from "@/lib/contract";
import { absentCaller } from "@/lib/session/caller";
import { listFeed } from "../feed/list";
import { assertLive } from "../topics/membership";

/** 256 random bits: nobody guesses an address. */
const TOKEN_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;
const hashOf = (token: string) => createHash("sha256").update(token).digest("hex");

/** GET /api/me/feed */
export const getPrivateFeed: Handler<typeof contract.my.feed> = async ({ caller, db }) => ({
  createdAt: (await privateFeedSince(db, caller.userId))?.toISOString() ?? null,
});

/** Returns when the address of a user's own feed was made; null without one. */
export async function privateFeedSince(db: Db, userId: string): Promise<Date | null> {
  const row = await db
    .selectFrom("private_feeds")
    .select("created_at")
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return row?.created_at ?? null;
}

/** POST /api/me/feed: a new address, which only this answer contains. */
export const makePrivateFeed: Handler<typeof contract.my.makeFeed> = async ({
  caller,
  db,
  deployment,
  now,
}) => {
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  const row = { token_hash: hashOf(token), created_at: now() };
  await db.transaction().execute(async (trx) => {
    await trx
      .insertInto("private_feeds")
      .values({ user_id: caller.userId, ...row })
      .onConflict((conflict) => conflict.column("user_id").doUpdateSet(row))
      .execute();
    await assertLive(trx, caller.userId);
  });
  const url = new URL(`/feeds/${token}/feed.xml`, deployment.services.appUrl).href;
  return { url, createdAt: row.created_at.toISOString() };
};

/** DELETE /api/me/feed */
export const endPrivateFeed: Handler<typeof contract.my.endFeed> = async ({ caller, db }) => {
  await db.deleteFrom("private_feeds").where("user_id", "=", caller.userId).execute();
  return { success: true };
};

/** A post of a private feed, and whether everyone may read it. */
export interface FeedPost {
  readonly post: Post;
  readonly isOpen: boolean;
}

/**
 * Returns the latest posts of the feed of whoever has this address: what `view=my` shows them.
 * @returns null for an address that is none, that ended, or whose owner is suspended
 */
export async function readPrivateFeed(
  ctx: Context,
  token: string,
  limit: number,
): Promise<FeedPost[] | null> {
  if (!TOKEN.test(token)) return null;
  const row = await ctx.db
    .selectFrom("private_feeds")
    .select("user_id")
    .where("token_hash", "=", hashOf(token))
    .executeTakeFirst();
  const owner = row && (await absentCaller(ctx, row.user_id));
  if (!owner) return null;
  // An address gives nobody a role on the installation.
  const caller = { ...owner, operator: null };
  const query = { view: "my", sort: "new", limit, offset: 0 } as const;
  const { posts } = await listFeed({ ...ctx, caller }, query);
  const topicIds = [...new Set(posts.map(({ topicId }) => topicId))];
  const open = await sql<{ id: string }>`
    select id from topics where id = any(${topicIds}::uuid[]) and visibility = 'public'`.execute(ctx.db);
  const openIds = new Set(open.rows.map(({ id }) => id));
  return posts.map((post) => ({ post, isOpen: openIds.has(post.topicId) }));
}
