import { sql } from "kysely";
import type { Db, Trx } from "@/db/schema";
import { log } from "@/lib/log";
import { numberComments, numberPosts } from "./numbering";
import { postScore } from "./scores";

/*
 * Counters of busy topics and posts. A writer adds to the row if nobody else has it, and otherwise appends a delta:
 * nobody waits for another's commit to reach the disk. Deltas are added up in batches, one transaction for all that
 * waited, before the writes that appended them are answered. In every snapshot, a row plus its deltas is the truth.
 * Whoever has the row also numbers what is new (numbering.ts).
 */

/** Rows with deltas of a write, which `addUp` puts into their counters. */
export interface Appended {
  readonly topics: Set<string>;
  readonly posts: Set<string>;
}

export function appendedNothing(): Appended {
  return { topics: new Set(), posts: new Set() };
}

/**
 * Counts a post (or with -1 its deletion) in its topic. Call it last: it takes the topic's row and never waits.
 * @param postId the new post, to be numbered
 */
export async function countPost(
  trx: Trx,
  appended: Appended,
  topicId: string,
  {
    posts,
    activeAt,
    postId,
  }: { readonly posts: 0 | 1 | -1; readonly activeAt: Date | null; readonly postId?: string },
): Promise<void> {
  const numbered = postId
    ? sql`numbered as (
      update posts set position = counted.post_position from counted where posts.id = ${postId}
    )`
    : null;
  const { rows } = await sql`
    with counted as (
      update topics set post_count = post_count + ${posts}::int,
        last_activity_at = greatest(last_activity_at, ${activeAt}::timestamptz)
        ${numbered ? sql`, post_position = post_position + 1` : sql``}
      where id = (select id from topics where id = ${topicId} for no key update skip locked)
      returning id, post_position
    ) ${numbered ? sql`, ${numbered}` : sql``}
    insert into topic_deltas (topic_id, posts, active_at)
    select ${topicId}::uuid, ${posts}::int, ${activeAt}::timestamptz where not exists (select from counted)
    returning topic_id`.execute(trx);
  if (rows.length > 0) appended.topics.add(topicId);
}

/**
 * Counts a comment (or with -1 its deletion) under its post. Call it last, as `countPost`.
 * @param commentId the new comment, to be numbered
 */
export async function countComment(
  trx: Trx,
  appended: Appended,
  postId: string,
  {
    comments,
    activeAt,
    commentId,
  }: { readonly comments: 1 | -1; readonly activeAt: Date | null; readonly commentId?: string },
): Promise<void> {
  const numbered = commentId
    ? sql`numbered as (
      update comments set position = counted.comment_position from counted where comments.id = ${commentId}
    )`
    : null;
  const { rows } = await sql`
    with counted as (
      update posts set comment_count = comment_count + ${comments}::int,
        last_activity_at = greatest(last_activity_at, ${activeAt}::timestamptz)
        ${numbered ? sql`, comment_position = comment_position + 1` : sql``}
      where id = (select id from posts where id = ${postId} for no key update skip locked)
      returning id, comment_position
    ) ${numbered ? sql`, ${numbered}` : sql``}
    insert into post_deltas (post_id, comments, votes, active_at)
    select ${postId}::uuid, ${comments}::int, 0, ${activeAt}::timestamptz where not exists (select from counted)
    returning post_id`.execute(trx);
  if (rows.length > 0) appended.posts.add(postId);
}

/** A post as it was read, whose votes are counted. */
interface VotedPost {
  readonly id: string;
  readonly upvote_count: number;
  readonly created_at: Date;
}

/** How far a count may have moved since it was read: scores for these counts are worked out beforehand. */
const SCORES_AROUND = 10;

/**
 * Adds to a post's net votes and updates its score. Call it last, as `countPost`.
 * @returns the count, or null when it was appended: then `addUp` knows it
 */
export async function countVotes(
  trx: Trx,
  appended: Appended,
  post: VotedPost,
  votes: number,
): Promise<number | null> {
  const { id, upvote_count, created_at } = post;
  const lowest = upvote_count - SCORES_AROUND;
  const highest = upvote_count + SCORES_AROUND;
  // In JavaScript, as every score: the same votes give the same bits.
  const scores = Array.from({ length: highest - lowest + 1 }, (_, index) =>
    postScore(lowest + index + votes, created_at),
  );
  const { rows } = await sql<{ count: number | null }>`
    with counted as (
      update posts set upvote_count = upvote_count + ${votes}::int,
        score = (${scores}::float8[])[upvote_count - ${lowest}::int + 1]
      where id = (select id from posts where id = ${id} for no key update skip locked)
        and upvote_count between ${lowest}::int and ${highest}::int
      returning upvote_count
    ), delta as (
      insert into post_deltas (post_id, comments, votes)
      select ${id}::uuid, 0, ${votes}::int where not exists (select from counted)
    )
    select (select upvote_count from counted) as count`.execute(trx);
  const count = rows[0]?.count ?? null;
  if (count === null) appended.posts.add(id);
  return count;
}

/** Net votes by post, of the posts whose deltas were added up. */
type Counts = ReadonlyMap<string, number>;

interface Batch extends Appended {
  readonly done: Promise<Counts>;
}

const batches = new WeakMap<Db, { next: Batch | undefined; last: Promise<unknown> }>();

/**
 * Resolves once what committed writes appended is in the counters. Writes that arrive while a batch is under way share
 * the next one. Failures are logged: the deltas stay, and the next write or `addUpLeftovers` adds them up.
 */
export async function addUp(db: Db, { topics, posts }: Appended): Promise<Counts> {
  if (topics.size === 0 && posts.size === 0) return new Map();
  const state = batches.get(db) ?? { next: undefined, last: Promise.resolve() };
  batches.set(db, state);
  const batch = state.next ?? startBatch(db, state);
  for (const id of topics) batch.topics.add(id);
  for (const id of posts) batch.posts.add(id);
  return await batch.done;
}

function startBatch(db: Db, state: { next: Batch | undefined; last: Promise<unknown> }): Batch {
  const appended = appendedNothing();
  const done = state.last.then(async () => {
    state.next = undefined;
    try {
      return await addUpNow(db, appended);
    } catch (error) {
      log.error({ err: error }, "counters are behind");
      return new Map<string, number>();
    }
  });
  state.last = done;
  state.next = { ...appended, done };
  return state.next;
}

/** Puts the deltas of these rows into their counters, in the lock order: posts, then topics, each by id. */
async function addUpNow(db: Db, { topics, posts }: Appended): Promise<Counts> {
  return await db.transaction().execute(async (trx) => {
    const unnumbered = topics.size > 0 ? await unnumberedPosts(trx, [...topics]) : [];
    const locked = await lockPosts(trx, [...posts, ...unnumbered]);
    const counts =
      posts.size > 0
        ? await addUpPosts(
            trx,
            [...posts],
            locked.filter(({ id }) => posts.has(id)),
          )
        : new Map<string, number>();
    if (topics.size > 0) await addUpTopics(trx, [...topics], unnumbered);
    return counts;
  });
}

async function unnumberedPosts(trx: Trx, topicIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from posts
    where topic_id = any(${topicIds}::uuid[]) and position is null`.execute(trx);
  return rows.map(({ id }) => id);
}

async function lockPosts(trx: Trx, ids: readonly string[]): Promise<readonly VotedPost[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<VotedPost>`select id, upvote_count, created_at from posts
    where id = any(${ids}::uuid[]) order by id for no key update`.execute(trx);
  return rows;
}

/** @param locked the rows of these posts, which are locked */
async function addUpPosts(trx: Trx, ids: readonly string[], locked: readonly VotedPost[]): Promise<Counts> {
  const { rows } = await sql<{ id: string; comments: number; votes: number; active_at: Date | null }>`
    with gone as (delete from post_deltas where post_id = any(${ids}::uuid[]) returning *)
    select post_id as id, sum(comments)::int as comments, sum(votes)::int as votes, max(active_at) as active_at
    from gone group by post_id`.execute(trx);
  const sums = new Map(rows.map((row) => [row.id, row]));
  const counts = new Map<string, number>();
  const changes = locked.flatMap(({ id, upvote_count, created_at }) => {
    const sum = sums.get(id);
    const count = upvote_count + (sum?.votes ?? 0);
    counts.set(id, count);
    return sum ? [{ ...sum, score: postScore(count, created_at) }] : [];
  });
  await sql`update posts p set comment_count = p.comment_count + c.comments, upvote_count = p.upvote_count + c.votes,
      score = case when c.votes = 0 then p.score else c.score end,
      last_activity_at = greatest(p.last_activity_at, c.active_at)
    from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb)
      as c (id uuid, comments int, votes int, active_at timestamptz, score float8)
    where p.id = c.id`.execute(trx);
  await numberComments(trx, ids);
  return counts;
}

async function addUpTopics(trx: Trx, ids: readonly string[], unnumbered: readonly string[]): Promise<void> {
  await sql`select from topics where id = any(${ids}::uuid[]) order by id for no key update`.execute(trx);
  await sql`with gone as (delete from topic_deltas where topic_id = any(${ids}::uuid[]) returning *), sums as (
      select topic_id, sum(posts)::int as posts, max(active_at) as active_at from gone group by topic_id
    )
    update topics t set post_count = t.post_count + sums.posts,
      last_activity_at = greatest(t.last_activity_at, sums.active_at)
    from sums where t.id = sums.topic_id`.execute(trx);
  await numberPosts(trx, unnumbered);
}

/** Rows of leftover deltas to look at per call. */
const LEFTOVERS = 500;

/** Adds up the deltas of processes that ended before they could, and numbers what the previous release wrote. */
export async function addUpLeftovers(db: Db): Promise<void> {
  const { rows } = await sql<{ topic_id: string | null; post_id: string | null }>`
    (select topic_id, null as post_id from topic_deltas limit ${LEFTOVERS}) union all
    (select null, post_id from post_deltas limit ${LEFTOVERS}) union all
    (select topic_id, null from posts where position is null limit ${LEFTOVERS}) union all
    (select null, post_id from comments where position is null limit ${LEFTOVERS})`.execute(db);
  const topics = new Set(rows.flatMap(({ topic_id }) => topic_id ?? []));
  const posts = new Set(rows.flatMap(({ post_id }) => post_id ?? []));
  await addUp(db, { topics, posts });
}
