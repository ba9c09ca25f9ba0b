import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { Db } from "@/db/schema";
import type { Context } from "@/lib/context";
import type { contract, HandlerInput, ResponseBody } from "@/lib/contract";
import { assertAllowed } from "@/lib/policy/decision";
import { postAccess } from "@/lib/policy/post";
import { listComments } from "../comments/load";
import { viewerOf } from "../viewer";
import { loadPost } from "./load";
import { postView } from "./view";

/**
 * GET /api/posts/{postId}: a deleted post keeps its page and comments, without title and content.
 * @param isView false for reads that are not a view, such as prefetching
 */
export async function getPost(
  ctx: Context,
  input: HandlerInput<typeof contract.posts.get>,
  isView = true,
): Promise<ResponseBody<typeof contract.posts.get>> {
  const { caller, db } = ctx;
  const callerId = caller?.userId ?? null;
  const row = await loadPost(db, input.postId, callerId);
  const viewer = viewerOf(caller, row);
  assertAllowed(postAccess(row, viewer).read);
  const page = await listComments(db, { post: row, viewer, callerId }, input);
  const viewCount = isView ? await countView(ctx, row) : row.view_count;
  return { post: { ...postView(row, caller, ctx.now()), viewCount }, ...page };
}

/** Far longer than any pause between flushes. */
const COUNTER_SECONDS = 30 * 24 * 60 * 60;
/** A counter is set again well before it can expire. */
const RESEED_AFTER_MS = 24 * 60 * 60 * 1000;
/** Views within this time are written to the database together. */
const FLUSH_AFTER_MS = 250;

interface PendingViews {
  /** Post id -> highest count not yet written to its row. */
  readonly counts: Map<string, number>;
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
    seeded: new Map(),
    flushing: false,
    flushed: Promise.resolve(),
  };
  pendingViews.set(db, made);
  return made;
}

/**
 * Counts one view of a post and returns the number of views, including this one.
 *
 * The cache has the total, not a difference: it starts from the row, every process increments it, and a flush writes
 * the highest value. So no two views get the same number, none is lost, and writing a count twice changes nothing.
 */
async function countView(
  ctx: Pick<Context, "db" | "cache" | "later">,
  post: { readonly id: string; readonly view_count: number },
): Promise<number> {
  const pending = pendingFor(ctx.db);
  const key = `views:${post.id}`;
  const known = Math.max(post.view_count, pending.counts.get(post.id) ?? 0);
  if (Date.now() - (pending.seeded.get(post.id) ?? 0) > RESEED_AFTER_MS) {
    await ctx.cache.set(key, String(known), COUNTER_SECONDS, true);
    pending.seeded.set(post.id, Date.now());
  }
  let { value } = await ctx.cache.increment(key, COUNTER_SECONDS);
  if (value <= post.view_count) {
    // The cache lost the counter, so it starts again from the row.
    await ctx.cache.set(key, String(known), COUNTER_SECONDS);
    ({ value } = await ctx.cache.increment(key, COUNTER_SECONDS));
  }
  pending.counts.set(post.id, Math.max(value, pending.counts.get(post.id) ?? 0));
  flushLater(ctx, pending);
  return value;
}

/** Schedules a flush as work after the response, so that a clean shutdown waits for it. */
function flushLater({ db, later }: Pick<Context, "db" | "later">, pending: PendingViews): void {
  if (pending.flushing) return;
  pending.flushing = true;
  later("view counts", async () => {
    await sleep(FLUSH_AFTER_MS);
    pending.flushing = false;
    await flushViews(db);
  });
}

/**
 * Writes pending counts to their rows in one statement. If that fails, they stay pending until the next flush. One at a
 * time: when it returns, what was counted before is written.
 */
export function flushViews(db: Db): Promise<void> {
  const pending = pendingFor(db);
  const flushed = pending.flushed.then(() => flush(db, pending));
  pending.flushed = flushed.catch(() => undefined);
  return flushed;
}

async function flush(db: Db, pending: PendingViews): Promise<void> {
  // Limits the memory: the next view of a post seeds its counter again.
  if (pending.seeded.size > 10_000) pending.seeded.clear();
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
