import { sql } from "kysely";
import type { Db, Trx } from "@/db/schema";
import type { MemberContext } from "@/lib/context";
import type { HideScope } from "@/lib/contract/moderation";
import { hideMessages } from "../chat/change";
import { showTags } from "../posts/tags";
import { markPicturesWithheld } from "../uploads/of-post";
import type { Effects } from "../write";
import { logStaffAct } from "./log";

/*
 * A sanction can hide what its user wrote in the topic: what is reported, or everything of the last day. The log has one
 * entry with counts, the user one notification. Lock order: posts, topic, pictures, tags, chat room, users, inboxes.
 */

const DAY_MS = 24 * 60 * 60 * 1000;

/** Whose texts to hide, and which. */
interface Authored {
  readonly topicId: string;
  readonly userId: string;
  readonly scope: HideScope;
  readonly now: Date;
}

/** What was hidden. */
export interface HiddenTexts {
  readonly posts: number;
  readonly comments: number;
  readonly messages: number;
  /** Keys of pictures, for `moveWithheld` after the commit. */
  readonly pictures: readonly string[];
}

export const nothingHidden: HiddenTexts = { posts: 0, comments: 0, messages: 0, pictures: [] };

interface Texts {
  readonly posts: readonly string[];
  readonly comments: readonly string[];
  readonly messages: readonly string[];
  /** The posts whose rows these writes queue at: the posts themselves, and those of the comments. */
  readonly rows: readonly string[];
}

/** SQL: what of the author's texts the scope takes. @param of SQL for a report's content, with its reports as `r` */
function within({ scope, now }: Authored, of: ReturnType<typeof sql>) {
  if (scope === "day") return sql`x.created_at > ${new Date(now.getTime() - DAY_MS)}`;
  return sql`exists (select from reports r where r.status = 'open' and ${of})`;
}

/** Returns the texts that nobody of the staff has hidden yet. */
async function textsOf(db: Db | Trx, which: Authored): Promise<Texts> {
  const { topicId, userId } = which;
  const shown = sql`x.deleted_at is null and x.hidden_by is null`;
  const { rows } = await sql<{ kind: "posts" | "comments" | "messages"; id: string; row: string | null }>`
    select 'posts' as kind, x.id, x.id as row from posts x
    where x.topic_id = ${topicId} and x.author_id = ${userId} and ${shown}
      and ${within(which, sql`r.post_id = x.id and r.comment_id is null`)}
    union all
    select 'comments', x.id, x.post_id from comments x join posts p on p.id = x.post_id
    where p.topic_id = ${topicId} and x.author_id = ${userId} and ${shown}
      and ${within(which, sql`r.post_id = x.post_id and r.comment_id = x.id`)}
    union all
    select 'messages', x.id, null from chat_messages x
    where x.topic_id = ${topicId} and x.user_id = ${userId} and x.type = 'message' and ${shown}
      and ${within(which, sql`r.post_id is null and r.comment_id = x.id`)}`.execute(db);
  const of = (kind: (typeof rows)[number]["kind"]) => rows.filter((row) => row.kind === kind);
  const ids = (kind: (typeof rows)[number]["kind"]) => of(kind).map(({ id }) => id);
  const queued = rows.flatMap(({ row }) => row ?? []);
  return {
    posts: ids("posts"),
    comments: ids("comments"),
    messages: ids("messages"),
    rows: [...new Set(queued)],
  };
}

/** Locks the posts that `hideAuthored` will change or that hold its comments. Call it before the topic is locked. */
export async function lockAuthored(trx: Trx, which: Authored): Promise<void> {
  const { rows } = await textsOf(trx, which);
  await sql`select id from posts where id = any(${rows}::uuid[]) order by id for update`.execute(trx);
}

/**
 * Hides the texts and resolves their reports, in a transaction that holds the topic's row and called `lockAuthored`
 * before. Logs both as one entry, or nothing if there is nothing to hide or resolve.
 */
export async function hideAuthored(
  trx: Trx,
  effects: Effects,
  { caller }: Pick<MemberContext, "caller">,
  which: Authored & { readonly reason: string | undefined },
): Promise<HiddenTexts> {
  const { topicId, userId, scope, now, reason } = which;
  const texts = await textsOf(trx, which);
  // Written between the two locks: who holds such a post is acting on it, and waits for the topic.
  const { rows: free } = await sql<{ id: string }>`
    select id from posts where id = any(${texts.rows}::uuid[]) order by id for update skip locked`.execute(
    trx,
  );
  const rows = free.map(({ id }) => id);
  const { rows: posts } = await sql<{ id: string; was_hidden: boolean }>`
    update posts x set hidden_at = ${now}, hidden_by = ${caller.userId}
    from (select id, hidden_at from posts where id = any(${texts.posts}::uuid[])) before
    where x.id = before.id and x.id = any(${rows}::uuid[])
    returning x.id, before.hidden_at is not null as was_hidden`.execute(trx);
  const { rows: comments } = await sql<{ id: string }>`
    update comments set hidden_at = ${now}, hidden_by = ${caller.userId}
    where id = any(${texts.comments}::uuid[]) and post_id = any(${rows}::uuid[]) returning id`.execute(trx);
  const reports = await resolveReports(trx, caller.userId, which, {
    posts: posts.map(({ id }) => id),
    others: [...comments.map(({ id }) => id), ...texts.messages],
  });
  const counts = { posts: posts.length, comments: comments.length, messages: texts.messages.length };
  const hidden = counts.posts + counts.comments + counts.messages;
  if (hidden > 0 || reports > 0) {
    const details = {
      scope,
      texts: String(hidden),
      posts: String(counts.posts),
      comments: String(counts.comments),
      messages: String(counts.messages),
      reports: String(reports),
    };
    const act = { topicId, actorId: caller.userId, subjectId: userId, now, reason };
    await logStaffAct(trx, { ...act, action: "content_hidden", details });
  }
  // What waited for review has neither pictures nor tags to take away.
  const newlyHidden = posts.filter(({ was_hidden }) => !was_hidden);
  const pictures: string[] = [];
  for (const { id } of newlyHidden) {
    pictures.push(...(await markPicturesWithheld(trx, { id, author_id: userId }, true)));
  }
  for (const { id } of newlyHidden) await showTags(trx, { id, topicId }, false);
  await hideMessages(trx, effects, { topicId, ids: texts.messages, by: caller.userId, now });
  return { ...counts, pictures };
}

/** Closes the open reports of what was hidden; with the scope "reported", all of this author's texts. */
async function resolveReports(
  trx: Trx,
  by: string,
  { topicId, userId, scope, now }: Authored,
  hidden: { readonly posts: readonly string[]; readonly others: readonly string[] },
): Promise<number> {
  const all = scope === "reported";
  const { rows } = await sql`
    update reports r set status = 'resolved', decided_at = ${now}, decided_by = ${by}
    where r.topic_id = ${topicId} and r.status = 'open' and (
      (r.comment_id is null and r.post_id = any(${hidden.posts}::uuid[]))
      or r.comment_id = any(${hidden.others}::uuid[])
      ${all ? sql`or ${writtenBy(userId)}` : sql``})
    returning r.id`.execute(trx);
  if (rows.length > 0) {
    await trx
      .updateTable("topics")
      .set((eb) => ({ open_report_count: eb("open_report_count", "-", rows.length) }))
      .where("id", "=", topicId)
      .execute();
  }
  return rows.length;
}

/** SQL: whether report `r` is about something that this user wrote. */
function writtenBy(userId: string) {
  return sql`coalesce(
    (select c.author_id from comments c where r.post_id is not null and c.id = r.comment_id),
    (select p.author_id from posts p where r.comment_id is null and p.id = r.post_id),
    (select g.user_id from chat_messages g where r.post_id is null and g.id = r.comment_id)) = ${userId}`;
}
