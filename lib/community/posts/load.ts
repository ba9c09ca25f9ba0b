import { type Expression, sql } from "kysely";
import type { Db, Trx } from "@/db/schema";
import type { PostMedia, Visibility } from "@/db/schema/community";
import type { Caller } from "@/lib/context";
import type { ErrorCode, Role } from "@/lib/contract";
import { Refusal } from "@/lib/errors";
import type { RightOf } from "@/lib/policy/decision";
import { type PostAccess, postAccess } from "@/lib/policy/post";
import { compiledQuery, type PlaceOf } from "@/lib/sql/compiled";
import { type AnonymousRow, authorOf } from "../anonymous/view";
import { type Mention, mentionsOf } from "../mentions/store";
import { inOrder, isRecordId } from "../paging";
import { domainsShownBy } from "../profile/badges";
import { assertAllowedIn } from "../topics/membership-rules";
import { mutedIn, viewerOf } from "../viewer";

/** A post with everything its view shows. */
export interface PostRow {
  readonly id: string;
  readonly topic_id: string;
  readonly topic_title: string;
  readonly visibility: Visibility;
  /** The caller's role in the topic. */
  readonly role: Role | null;
  /** Whether the caller is muted there. */
  readonly muted: boolean;
  /** When the caller's membership lapses without a new proof. */
  readonly reprove_by: Date | null;
  /** With `visibility`, what the policy needs to know. */
  readonly deleted: boolean;
  readonly hidden: boolean;
  readonly mine: boolean;
  readonly author_id: string;
  readonly author_nickname: string;
  readonly author_image: string | null;
  readonly anonymous: AnonymousRow | null;
  readonly author_domains: readonly string[];
  readonly title: string;
  readonly content: string;
  readonly summary: string;
  readonly media: PostMedia;
  readonly upvote_count: number;
  readonly view_count: number;
  readonly comment_count: number;
  readonly record_count: number;
  readonly score: number;
  readonly is_pinned: boolean;
  readonly automated: boolean;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly deleted_at: Date | null;
  /** Whether the caller blocked the author. */
  readonly blocked: boolean;
  readonly user_vote: 1 | -1 | null;
  readonly bookmarked: boolean;
  /** Whether the caller's on-chain record of it is confirmed. */
  readonly recorded: boolean;
  readonly tags: readonly { readonly name: string; readonly slug: string }[];
  readonly mentions: readonly Mention[];
  readonly reactions: readonly {
    readonly emoji: string;
    readonly count: number;
    readonly mine: boolean;
  }[];
  readonly poll: PollRow | null;
}

export interface PollRow {
  readonly id: string;
  readonly question: string | null;
  readonly multipleChoice: boolean;
  /** Unix milliseconds. */
  readonly closesAt: number | null;
  readonly options: readonly {
    readonly id: string;
    readonly text: string;
    readonly position: number;
    readonly voteCount: number;
  }[];
  readonly votedOptionIds: readonly string[];
  readonly secret: { readonly root: number; readonly crowd: number } | null;
}

/**
 * Loads posts with author, topic, the caller's role, vote and bookmark, tags, reactions and poll, in the order of the
 * ids, in one query. Deleted posts are included; the view empties them.
 */
export async function loadPosts(
  db: Db | Trx,
  ids: readonly string[],
  callerId: string | null,
): Promise<PostRow[]> {
  if (ids.length === 0) return [];
  return inOrder(ids, await postsById(db, { ids, callerId }, callerId !== null));
}

const postsById = compiledQuery(
  (db: Db, value: PlaceOf<{ ids: readonly string[]; callerId: string | null }>, signedIn: boolean) => {
    const callerId = value("callerId");
    return sql<PostRow>`
    select p.id, p.topic_id, t.title as topic_title, t.visibility, m.role,
      ${mutedIn("p.topic_id", signedIn ? callerId : null)} as muted,
      m.reprove_by, ${stateOf(callerId)},
      p.author_id, u.nickname as author_nickname, u.profile_image as author_image,
      ${authorOf("p.author_id", sql`a.post_id = p.id and a.comment_id is null`)} as anonymous,
      ${domainsShownBy("p.author_id", { topicId: sql.ref("p.topic_id"), writtenAt: sql.ref("p.created_at") })} as author_domains,
      p.title, p.content, p.summary, p.media, p.upvote_count, p.view_count, p.comment_count, p.record_count,
      p.score, p.is_pinned, p.automated, p.created_at, p.updated_at, p.deleted_at,
      ${mentionsOf("p.id")} as mentions,
      v.value as user_vote, b.post_id is not null as bookmarked, rd.id is not null as recorded,
      k.blocked_id is not null as blocked,
      (select coalesce(json_agg(json_build_object('name', pt.name, 'slug', g.slug) order by pt.position), '[]')
        from post_tags pt join tags g on g.id = pt.tag_id where pt.post_id = p.id) as tags,
      (select coalesce(json_agg(json_build_object('emoji', rc.emoji, 'count', rc.count, 'mine', exists (
          select from reactions r where r.post_id = p.id and r.emoji = rc.emoji and r.user_id = ${callerId}::text))), '[]')
        from reaction_counts rc where rc.post_id = p.id and rc.count > 0) as reactions,
      (select json_build_object('id', q.id, 'question', q.question, 'multipleChoice', q.multiple_choice,
          'closesAt', (extract(epoch from q.closes_at) * 1000)::float8,
          'options', (select json_agg(json_build_object('id', o.id, 'text', o.text, 'position', o.position,
              'voteCount', o.vote_count) order by o.position) from poll_options o where o.poll_id = q.id),
          'votedOptionIds', (select coalesce(json_agg(pv.option_id), '[]') from poll_votes pv
              where pv.poll_id = q.id and pv.user_id = ${callerId}::text),
          'secret', (select json_build_object('root', cr.number, 'crowd', cr.size) from crowd_roots cr
              where cr.topic_id = p.topic_id and cr.number = q.ballot_root))
        from polls q where q.post_id = p.id) as poll
    from posts p
    join topics t on t.id = p.topic_id
    join users u on u.id = p.author_id
    left join memberships m on m.topic_id = p.topic_id and m.user_id = ${callerId}::text
    left join votes v on v.post_id = p.id and v.user_id = ${callerId}::text
    left join bookmarks b on b.post_id = p.id and b.user_id = ${callerId}::text
    left join records rd on rd.post_id = p.id and rd.recorder_id = ${callerId}::text and rd.status = 'confirmed'
    left join blocks k on k.user_id = ${callerId}::text and k.blocked_id = p.author_id
    where p.id = any(${value("ids")}::uuid[])`.compile(db);
  },
);

/** Loads a post, without a check whether the caller may read it. @throws Refusal post_not_found */
export async function loadPost(db: Db | Trx, id: string, callerId: string | null): Promise<PostRow> {
  const [row] = isRecordId(id) ? await loadPosts(db, [id], callerId) : [];
  if (!row) throw new Refusal("post_not_found");
  return row;
}

/**
 * Loads a post on which the caller has this right.
 * @throws Refusal post_not_found; otherwise what the policy decides
 */
export async function authorizePost(
  db: Db,
  id: string,
  caller: Caller | null,
  right: RightOf<PostAccess>,
): Promise<PostRow> {
  const post = await loadPost(db, id, caller?.userId ?? null);
  await assertAllowedIn(db, postAccess(post, viewerOf(caller, post))[right], post.topic_id, caller);
  return post;
}

/** SQL: the columns of a post's row `p` that the policy needs. */
function stateOf(callerId: string | Expression<string | null>) {
  return sql`p.deleted_at is not null as deleted, p.hidden_at is not null as hidden,
    coalesce(p.author_id = ${callerId}::text, false) as mine`;
}

/** What a write under a post needs to know of it, and the policy. */
export interface LockedPost {
  readonly id: string;
  readonly topic_id: string;
  readonly author_id: string;
  readonly visibility: Visibility;
  readonly role: Role | null;
  readonly muted: boolean;
  readonly reprove_by: Date | null;
  /** Of its topic (policy/topic-rules.ts). */
  readonly slow_mode_seconds: number | null;
  readonly links_after_posts: number;
  readonly review_words: readonly string[];
  readonly upvote_count: number;
  readonly record_count: number;
  readonly is_pinned: boolean;
  readonly created_at: Date;
  readonly deleted: boolean;
  readonly hidden: boolean;
  readonly mine: boolean;
}

/**
 * How a transaction keeps a post. "hold": with others, together with its topic, for a write that only adds to counters
 * (counters.ts). "lock": alone, after those that hold it.
 */
export type Keep = "hold" | "lock";

/**
 * Keeps a post's row for this transaction. Only the post itself is read after the wait for the row; the other tables of
 * this statement may be older.
 * @param gone the code for a post that does not exist
 */
async function keepPost(
  trx: Trx,
  id: string,
  callerId: string,
  keep: Keep,
  gone: ErrorCode = "post_not_found",
): Promise<LockedPost> {
  const { rows } = await sql<LockedPost>`
    select p.id, p.topic_id, p.author_id, t.visibility, m.role, ${mutedIn("p.topic_id", callerId)} as muted,
      m.reprove_by, t.slow_mode_seconds, t.links_after_posts, t.review_words,
      p.upvote_count, p.record_count, p.is_pinned, p.created_at, ${stateOf(callerId)}
    from posts p join topics t on t.id = p.topic_id
    left join memberships m on m.topic_id = p.topic_id and m.user_id = ${callerId}
    where p.id = ${id} ${keep === "hold" ? sql`for key share of p, t` : sql`for update of p`}`.execute(trx);
  const [row] = rows;
  if (!row) throw new Refusal(gone);
  return row;
}

/** Locks a post's row, so that writes that are not mere counts queue. @param gone the code for one that does not exist */
export async function lockPost(
  trx: Trx,
  id: string,
  callerId: string,
  gone?: ErrorCode,
  keep: Keep = "lock",
): Promise<LockedPost> {
  return await keepPost(trx, id, callerId, keep, gone);
}

/**
 * Keeps a post on which the caller has this right.
 * @throws Refusal post_not_found; otherwise what the policy decides
 */
export async function authorizeLockedPost(
  trx: Trx,
  id: string,
  caller: Caller,
  right: RightOf<PostAccess>,
  keep: Keep = "lock",
): Promise<LockedPost> {
  const post = await keepPost(trx, id, caller.userId, keep);
  await assertAllowedIn(trx, postAccess(post, viewerOf(caller, post))[right], post.topic_id, caller);
  return post;
}
