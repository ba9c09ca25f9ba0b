import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { Db } from "@/db/schema";
import type { Context } from "@/lib/context";

/** Far longer than any pause between flushes. */
const COUNTER_SECONDS = 30 * 24 * 60 * 60;
/** A counter is set again well before it can expire. */
const RESEED_AFTER_MS = 24 * 60 * 60 * 1000;
/** Views within this time are written to the database together. */
const FLUSH_AFTER_MS = 250;

interface PendingViews {
  /** Post id -> highest count not yet written to its row. */
  readonly counts: Map<string, number>;
  /** Post id -> views not yet counted. */
  readonly noted: Map<string, number>;
  /** Post id -> when this process last ensured that its counter exists. */
  readonly seeded: Map<string, number>;
  flushing: boolean;
  /** Resolves when no flush is under way. */
  flushed: Promise<void>;
}

/** Views to flush, per database. Pages and route handlers may each have a copy, like two processes. */
const pendingViews = new WeakMap<Db, PendingViews>();

function pendingFor(db: Db): PendingViews {
  const found = pendingViews.get(db);
  if (found) return found;
  const made: PendingViews = {
    counts: new Map(),
    noted: new Map(),
    seeded: new Map(),
    flushing: false,
    flushed: Promise.resolve(),
  };
  pendingViews.set(db, made);
  return made;
}

type Counting = Pick<Context, "db" | "cache" | "later">;
type Viewed = { readonly id: string; readonly view_count: number };

/** Counts one view of a post. @returns the number of views, including this one */
export async function countView(ctx: Counting, post: Viewed): Promise<number> {
  const value = await add(ctx, post, 1);
  flushLater(ctx);
  return value;
}

/** Counts one view of a post a little later, together with others: for pages that no view needs to load. */
export function noteView(ctx: Counting, postId: string): void {
  const { noted } = pendingFor(ctx.db);
  noted.set(postId, (noted.get(postId) ?? 0) + 1);
  flushLater(ctx);
}

/**
 * Adds views to a post's counter. The cache has the total, not a difference: it starts from the row, every process
 * adds to it, and a flush writes the highest value. So no two views get the same number, none is lost, and writing a
 * count twice changes nothing.
 */
async function add({ db, cache }: Omit<Counting, "later">, post: Viewed, views: number): Promise<number> {
  const pending = pendingFor(db);
  const key = `views:${post.id}`;
  const known = Math.max(post.view_count, pending.counts.get(post.id) ?? 0);
  if (Date.now() - (pending.seeded.get(post.id) ?? 0) > RESEED_AFTER_MS) {
    await cache.set(key, String(known), COUNTER_SECONDS, true);
    pending.seeded.set(post.id, Date.now());
  }
  let { value } = await cache.increment(key, COUNTER_SECONDS, views);
  if (value < post.view_count + views) {
    // The cache lost the counter, so it starts again from the row.
    await cache.set(key, String(known), COUNTER_SECONDS);
    ({ value } = await cache.increment(key, COUNTER_SECONDS, views));
  }
  pending.counts.set(post.id, Math.max(value, pending.counts.get(post.id) ?? 0));
  return value;
}

/** Schedules a flush as work after the response, so that a clean shutdown waits for it. */
function flushLater(ctx: Counting): void {
  const pending = pendingFor(ctx.db);
  if (pending.flushing) return;
  pending.flushing = true;
  ctx.later("view counts", async () => {
    await sleep(FLUSH_AFTER_MS);
    pending.flushing = false;
    await flushViews(ctx);
  });
}

/**
 * Writes pending counts to their rows in one statement. If that fails, they stay pending until the next flush. One at a
 * time: when it returns, what was counted before is written.
 */
export function flushViews(ctx: Omit<Counting, "later">): Promise<void> {
  const pending = pendingFor(ctx.db);
  const flushed = pending.flushed.then(() => flush(ctx, pending));
  pending.flushed = flushed.catch(() => undefined);
  return flushed;
}

async function flush({ db, cache }: Omit<Counting, "later">, pending: PendingViews): Promise<void> {
  // Limits the memory: the next view of a post seeds its counter again.
  if (pending.seeded.size > 10_000) pending.seeded.clear();
  await countNoted({ db, cache });
  const counts = [...pending.counts];
  if (counts.length === 0) return;
  pending.counts.clear();
  try {
    // Two processes that flush the same posts may deadlock. One of them then fails here and writes its counts later.
    await sql`
      update posts p set view_count = v.views::int
      from jsonb_each_text(${JSON.stringify(Object.fromEntries(counts))}::jsonb) as v (id, views)
      where p.id = v.id::uuid and p.view_count < v.views::int`.execute(db);
  } catch (error) {
    for (const [id, views] of counts) {
      pending.counts.set(id, Math.max(views, pending.counts.get(id) ?? 0));
    }
    throw error;
  }
}

/** Counts what was noted. What fails stays noted. */
async function countNoted(ctx: Omit<Counting, "later">): Promise<void> {
  const { noted } = pendingFor(ctx.db);
  if (noted.size === 0) return;
  const ids = [...noted.keys()];
  const posts = await ctx.db
    .selectFrom("posts")
    .select(["id", "view_count"])
    .where("id", "in", ids)
    .execute();
  for (const post of posts) {
    const views = noted.get(post.id) ?? 0;
    noted.delete(post.id);
    try {
      await add(ctx, post, views);
    } catch (error) {
      noted.set(post.id, views + (noted.get(post.id) ?? 0));
      throw error;
    }
  }
  // Posts that are gone.
  for (const id of ids) if (!posts.some((post) => post.id === id)) noted.delete(id);
}
