import { type RawBuilder, sql } from "kysely";
import type { Db } from "@/db/schema";
import type { Caller, Handler } from "@/lib/context";
import type { contract, Role } from "@/lib/contract";
import {
  type CaseAction,
  type CaseKind,
  type CaseReason,
  caseReasons,
  type QueueCase,
} from "@/lib/contract/queue";
import { shorten } from "@/lib/html";
import { authorAbilities, topicAccess } from "@/lib/policy/topic";
import { noteCount } from "../members/notes";
import { decodeCursor, pageOf } from "../paging";
import { loadTopics, type TopicRow } from "../topics/load";
import { viewerOf } from "../viewer";

/** Characters that the queue shows of a text. */
const EXCERPT_LENGTH = 280;
/** Reports that the queue shows of one case. */
const MAX_REPORTS = 5;

/** A case, before its content is loaded. */
interface CaseRow {
  /** Of the content. */
  readonly id: string;
  readonly key: Date;
  readonly kind: CaseKind;
  readonly topic_id: string;
  readonly post_id: string | null;
  readonly waiting: boolean;
  readonly reports: number;
  readonly reasons: readonly CaseReason[];
}

/**
 * GET /api/moderation/queue: reported content, and texts that a review word hid, of every topic whose staff the caller
 * is, oldest first.
 */
export const listCases: Handler<typeof contract.moderation.queue> = async ({ caller, db }, input) => {
  const sort = "cases";
  const cursor = decodeCursor(input.cursor, { sort, kind: "time" });
  const topics = await staffTopics(db, caller);
  const topicIds = topics.map(({ id }) => id);
  const { kind, reason, topicId } = input;
  const [{ rows }, counts] = await Promise.all([
    sql<CaseRow>`
      select target_id as id, opened_at as key, kind, topic_id, post_id, waiting, reports, reasons
      from (${openCases(topicId ? topicIds.filter((id) => id === topicId) : topicIds)}) cases
      where true ${kind ? sql`and kind = ${kind}` : sql``}
        ${reason ? sql`and ${reason} = any(reasons)` : sql``}
        ${cursor ? sql`and (opened_at, target_id) > (${new Date(cursor.key)}, ${cursor.id}::uuid)` : sql``}
      order by opened_at, target_id limit ${input.limit + 1}`.execute(db),
    countCases(db, topics),
  ]);
  const page = pageOf(rows, { ...input, sort });
  return { cases: await casesOf(db, page.rows, topics, caller), counts, nextCursor: page.nextCursor };
};

/** Returns the topics in which the policy lets the caller moderate, by title. */
async function staffTopics(db: Db, caller: Caller): Promise<TopicRow[]> {
  const rows = await db
    .selectFrom("memberships")
    .select("topic_id")
    .where("user_id", "=", caller.userId)
    .where("role", "in", ["owner", "admin"])
    .execute();
  const ids = rows.map(({ topic_id }) => topic_id);
  const topics = await loadTopics(db, ids, caller.userId);
  return topics
    .filter((topic) => topicAccess(topic, viewerOf(caller, topic)).moderate === "allowed")
    .toSorted((a, b) => a.title.localeCompare(b.title) || (a.id < b.id ? -1 : 1));
}

/** SQL: whether row `x` waits for review: hidden, and by nobody. */
const waits = sql`x.hidden_at is not null and x.hidden_by is null and x.deleted_at is null`;

/**
 * SQL: the open cases of these topics. A text that waits needs no report, and a reported one need not wait.
 * @param of one content only, for a decision about it
 */
export function openCases(
  topicIds: readonly string[],
  of?: { readonly kind: CaseKind; readonly targetId: string },
): RawBuilder<unknown> {
  const here = sql`any(${topicIds}::uuid[])`;
  const only = (kind: CaseKind) =>
    of === undefined ? sql`` : of.kind === kind ? sql`and x.id = ${of.targetId}::uuid` : sql`and false`;
  const reported = of ? sql`and coalesce(x.comment_id, x.post_id) = ${of.targetId}::uuid` : sql``;
  return sql`
    select kind, target_id, topic_id, post_id, min(opened_at) as opened_at, bool_or(waiting) as waiting,
      count(reason) filter (where not waiting)::int as reports, array_agg(distinct reason) as reasons
    from (
      select case when x.post_id is null then 'message' when x.comment_id is null then 'post' else 'comment' end as kind,
        coalesce(x.comment_id, x.post_id) as target_id, x.topic_id, x.post_id, x.created_at as opened_at,
        false as waiting, x.reason
      from reports x where x.topic_id = ${here} and x.status = 'open' ${reported}
      union all
      select 'post', x.id, x.topic_id, x.id, x.hidden_at, true, 'review_words'
      from posts x where x.topic_id = ${here} and ${waits} ${only("post")}
      union all
      select 'comment', x.id, p.topic_id, x.post_id, x.hidden_at, true, 'review_words'
      from comments x join posts p on p.id = x.post_id where p.topic_id = ${here} and ${waits} ${only("comment")}
      union all
      select 'message', x.id, x.topic_id, null, x.hidden_at, true, 'review_words'
      from chat_messages x where x.topic_id = ${here} and ${waits} ${only("message")}
    ) open ${of ? sql`where kind = ${of.kind}` : sql``}
    group by kind, target_id, topic_id, post_id`;
}

async function countCases(db: Db, topics: readonly TopicRow[]) {
  const ids = topics.map(({ id }) => id);
  const [{ rows }, pending] = await Promise.all([
    sql<{ topic_id: string; open: number; reported: number; waiting: number }>`
      select topic_id, count(*)::int as open, count(*) filter (where reports > 0)::int as reported,
        count(*) filter (where waiting)::int as waiting
      from (${openCases(ids)}) cases group by topic_id`.execute(db),
    sql<{ topic_id: string; requests: number }>`
      select topic_id, count(*)::int as requests from join_requests
      where topic_id = any(${ids}::uuid[]) and status = 'pending' group by topic_id`.execute(db),
  ]);
  const sum = (of: (row: (typeof rows)[number]) => number) => rows.reduce((total, row) => total + of(row), 0);
  const openIn = new Map(rows.map(({ topic_id, open }) => [topic_id, open]));
  const requestsIn = new Map(pending.rows.map(({ topic_id, requests }) => [topic_id, requests]));
  return {
    open: sum(({ open }) => open),
    reported: sum(({ reported }) => reported),
    waiting: sum(({ waiting }) => waiting),
    topics: topics.map(({ id, title }) => ({
      topicId: id,
      title,
      open: openIn.get(id) ?? 0,
      requests: requestsIn.get(id) ?? 0,
    })),
  };
}

interface ContentRow {
  readonly id: string;
  readonly author_id: string;
  readonly author_nickname: string;
  readonly author_image: string | null;
  /** Null for someone who is not a member. */
  readonly author_role: Role | null;
  readonly notes: number;
  readonly title: string;
  readonly words: string;
  readonly hidden: boolean;
  readonly deleted: boolean;
  readonly reports: readonly (Omit<QueueCase["reports"][number], "createdAt"> & {
    readonly createdAt: string;
  })[];
}

async function casesOf(
  db: Db,
  rows: readonly CaseRow[],
  topics: readonly TopicRow[],
  caller: Caller,
): Promise<QueueCase[]> {
  if (rows.length === 0) return [];
  const contents = new Map((await loadContents(db, rows, caller.userId)).map((row) => [row.id, row]));
  const topicOf = new Map(topics.map((topic) => [topic.id, topic]));
  return rows.flatMap((row) => {
    const content = contents.get(row.id);
    const topic = topicOf.get(row.topic_id);
    return content && topic ? [caseView(row, content, topic, caller)] : [];
  });
}

async function loadContents(db: Db, rows: readonly CaseRow[], reader: string): Promise<ContentRow[]> {
  const kinds = rows.map(({ kind }) => kind);
  const ids = rows.map(({ id }) => id);
  const topicIds = rows.map(({ topic_id }) => topic_id);
  const { rows: contents } = await sql<ContentRow>`
    select k.id, author.id as author_id, author.nickname as author_nickname, author.profile_image as author_image,
      m.role as author_role, coalesce(p.title, '') as title,
      ${noteCount(sql.ref("k.topic_id"), sql.ref("author.id"), reader)} as notes,
      case k.kind when 'post' then p.summary else left(coalesce(c.content, g.message, ''), ${2 * EXCERPT_LENGTH})
        end as words,
      (case k.kind when 'post' then p.hidden_at when 'comment' then c.hidden_at else g.hidden_at end) is not null as hidden,
      case k.kind when 'post' then p.deleted_at is not null when 'comment' then c.deleted_at is not null
        else g.id is null or g.deleted_at is not null end as deleted,
      coalesce((select json_agg(json_build_object('id', r.id, 'reason', r.reason, 'details', r.details,
          'createdAt', r.created_at, 'snapshot', r.snapshot, 'reporter', json_build_object('userId', u.id,
            'nickname', u.nickname, 'profileImage', u.profile_image)) order by r.created_at, r.id)
        from (select * from reports o where o.topic_id = k.topic_id and o.status = 'open'
            and coalesce(o.comment_id, o.post_id) = k.id
            and (o.post_id is null) = (k.kind = 'message') and (k.kind = 'post') = (o.comment_id is null)
          order by o.created_at, o.id limit ${MAX_REPORTS}) r
        join users u on u.id = r.reporter_id), '[]') as reports
    from unnest(${kinds}::text[], ${ids}::uuid[], ${topicIds}::uuid[]) as k (kind, id, topic_id)
    left join comments c on k.kind = 'comment' and c.id = k.id
    left join posts p on p.id = case k.kind when 'post' then k.id else c.post_id end
    left join chat_messages g on k.kind = 'message' and g.id = k.id
    left join lateral (select r.subject_id from reports r where k.kind = 'message' and g.id is null
      and r.topic_id = k.topic_id and r.comment_id = k.id limit 1) gone on true
    join users author on author.id = case k.kind when 'post' then p.author_id when 'comment' then c.author_id
      else coalesce(g.user_id, gone.subject_id) end
    left join memberships m on m.topic_id = k.topic_id and m.user_id = author.id`.execute(db);
  return contents;
}

function caseView(row: CaseRow, content: ContentRow, topic: TopicRow, caller: Caller): QueueCase {
  const { author_id: authorId, author_role: authorRole } = content;
  const isTheirs = authorId === caller.userId;
  const reasons = new Set(row.reasons);
  return {
    kind: row.kind,
    targetId: row.id,
    topicId: topic.id,
    topicTitle: topic.title,
    postId: row.post_id,
    openedAt: row.key.toISOString(),
    reasons: caseReasons.filter((reason) => reasons.has(reason)),
    reportCount: row.reports,
    reports: content.reports.map((report) => ({
      ...report,
      createdAt: new Date(report.createdAt).toISOString(),
    })),
    author: {
      userId: authorId,
      nickname: content.author_nickname,
      profileImage: content.author_image,
      // Only members can be muted. A ban can come before someone joins again.
      abilities: authorAbilities(topic.role, { userId: authorId, role: authorRole }, isTheirs),
      noteCount: content.notes,
    },
    title: content.title,
    excerpt: shorten(content.words, EXCERPT_LENGTH),
    isHidden: content.hidden,
    isWaiting: row.waiting,
    isDeleted: content.deleted,
    actions: actionsOf({ ...content, isWaiting: row.waiting, isReported: row.reports > 0 }),
  };
}

interface CaseState {
  readonly isWaiting: boolean;
  readonly isReported: boolean;
  readonly hidden: boolean;
  readonly deleted: boolean;
}

/** Returns the actions that apply to an open case. */
function actionsOf({ isWaiting, isReported, hidden, deleted }: CaseState): CaseAction[] {
  const closing: CaseAction[] = isReported ? ["dismiss", "resolve"] : [];
  if (deleted) return closing;
  return [
    ...(hidden ? (["approve"] as const) : []),
    ...closing,
    ...(!hidden || isWaiting ? (["hide"] as const) : []),
    "delete",
  ];
}
