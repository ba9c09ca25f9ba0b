import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { Db } from "@/db/schema";
import type { Context } from "@/lib/context";

/** Counters outlive any pause between flushes by far. */
const counterSeconds = 30 * 24 * 60 * 60;
/** A counter is started anew well before it may expire. */
const reseedAfterMs = 24 * 60 * 60 * 1000;
/** Views of this long go to the database together. */
const flushAfterMs = 250;

interface PendingViews {
  /** Post id -> highest count seen and not yet written to its row. */
  readonly counts: Map<string, number>;
  /** Post id -> when this process made sure that its counter exists. */
  readonly seeded: Map<string, number>;
  flushing: boolean;
}

/** Views to be flushed, per database. Pages and route handlers may have a copy each, as two processes have. */
const pendingViews = new WeakMap<Db, PendingViews>();

function pendingFor(db: Db): PendingViews {
  const found = pendingViews.get(db);
  if (found) return found;
  const made: PendingViews = { counts: new Map(), seeded: new Map(), flushing: false };
  pendingViews.set(db, made);
  return made;
}

/**
 * Counts one view of a post and returns the number of views, this one included.
 *
 * The cache holds the whole count, not a difference: it starts from the row, every process adds to it, and a
 * flush writes the highest value seen. So no two views get the same number, none is lost between cache and row,
 * and writing a count twice changes nothing.
 */
export async function countView(
  ctx: Pick<Context, "db" | "cache" | "later">,
  post: { readonly id: string; readonly view_count: number },
): Promise<number> {
  const pending = pendingFor(ctx.db);
  const key = `views:${post.id}`;
  const known = Math.max(post.view_count, pending.counts.get(post.id) ?? 0);
  if (Date.now() - (pending.seeded.get(post.id) ?? 0) > reseedAfterMs) {
    await ctx.cache.set(key, String(known), counterSeconds, true);
    pending.seeded.set(post.id, Date.now());
  }
  let { value } = await ctx.cache.increment(key, counterSeconds);
  if (value <= post.view_count) {
    // The cache lost the counter (it was emptied): it starts again from the row.
    await ctx.cache.set(key, String(known), counterSeconds);
    ({ value } = await ctx.cache.increment(key, counterSeconds));
  }
  pending.counts.set(post.id, Math.max(value, pending.counts.get(post.id) ?? 0));
  flushLater(ctx, pending);
  return value;
}

/** A flush is work after the answer like any other, so a clean shutdown waits for it. */
function flushLater({ db, later }: Pick<Context, "db" | "later">, pending: PendingViews): void {
  if (pending.flushing) return;
  pending.flushing = true;
  later("view counts", async () => {
    await sleep(flushAfterMs);
    pending.flushing = false;
    await flushViews(db);
  });
}

/**
 * Writes pending counts to their rows in one statement. What it could not write stays pending and goes with the
 * next flush.
 */
export async function flushViews(db: Db): Promise<void> {
  const pending = pendingFor(db);
  // Bounded like the counts: posts nobody has viewed for a while are seeded again at their next view.
  if (pending.seeded.size > 10_000) pending.seeded.clear();
  const counts = [...pending.counts];
  if (counts.length === 0) return;
  pending.counts.clear();
  try {
    // Two processes that flush the same posts may wait for each other in a circle; one of them then fails here and
    // writes the same counts later.
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
