import { type RawBuilder, sql } from "kysely";
import type { Reading } from "./export-text";

/** A list of the member's rows, in the order of a time and an id. */
export interface List {
  /** Its files are `name-1.json` and so on. */
  readonly name: string;
  /** SQL: the columns, as the export names them. */
  readonly columns: RawBuilder<unknown>;
  /** SQL: tables and condition, for one user. */
  readonly from: (userId: string) => RawBuilder<unknown>;
  /** SQL: the time and the id. */
  readonly at: RawBuilder<unknown>;
  readonly id: RawBuilder<unknown>;
  /** Its parts are also Markdown, as `name-1.md`. */
  readonly reading?: Reading;
}

/**
 * What a member wrote and did, besides posts. Each list names what others wrote only by its id: the member may no longer
 * be allowed to read it. What is written about a member to others, such as reports and notes of staff, is not theirs.
 */
export const lists: readonly List[] = [
  {
    name: "comments",
    columns: sql`c.id, c.post_id as "postId", c.parent_id as "parentId", c.content, c.created_at as "createdAt",
      c.updated_at as "updatedAt", c.hidden_at is not null as "isHidden"`,
    from: (userId) => sql`comments c where c.author_id = ${userId} and c.deleted_at is null`,
    at: sql`c.created_at`,
    id: sql`c.id::text`,
    reading: {
      title: "Comments",
      text: "content",
      places: { postId: "post", parentId: "answer to comment" },
    },
  },
  {
    name: "chat-messages",
    columns: sql`g.id, g.topic_id as "topicId", g.reply_to_id as "replyToId", g.message, g.created_at as "createdAt",
      g.edited_at as "editedAt", g.hidden_at is not null as "isHidden"`,
    from: (userId) =>
      sql`chat_messages g where g.user_id = ${userId} and g.type = 'message' and g.deleted_at is null`,
    at: sql`g.created_at`,
    id: sql`g.id::text`,
    reading: {
      title: "Chat messages",
      text: "message",
      places: { topicId: "topic", replyToId: "answer to message" },
    },
  },
  {
    name: "drafts",
    columns: sql`d.topic_id as "topicId", d.content, d.updated_at as "updatedAt"`,
    from: (userId) => sql`drafts d where d.user_id = ${userId}`,
    at: sql`d.updated_at`,
    id: sql`d.topic_id::text`,
  },
  {
    name: "scheduled-posts",
    columns: sql`s.id, s.topic_id as "topicId", s.content, s.publish_at as "publishAt", s.problem,
      s.created_at as "createdAt"`,
    from: (userId) => sql`scheduled_posts s where s.user_id = ${userId}`,
    at: sql`s.created_at`,
    id: sql`s.id::text`,
  },
  {
    name: "crowd-leaves",
    columns: sql`l.topic_id as "topicId", l.leaf, l.enrolled_at as "enrolledAt", l.counts_from as "countsFrom",
      l.withdrawn_at as "withdrawnAt"`,
    from: (userId) => sql`crowd_leaves l where l.user_id = ${userId}`,
    at: sql`l.enrolled_at`,
    id: sql`l.id::text`,
  },
  {
    name: "votes",
    columns: sql`v.post_id as "postId", v.value, v.created_at as "createdAt"`,
    from: (userId) => sql`votes v where v.user_id = ${userId}`,
    at: sql`v.created_at`,
    id: sql`v.post_id::text`,
  },
  {
    name: "comment-votes",
    columns: sql`v.comment_id as "commentId", v.value, v.created_at as "createdAt"`,
    from: (userId) => sql`comment_votes v where v.user_id = ${userId}`,
    at: sql`v.created_at`,
    id: sql`v.comment_id::text`,
  },
  {
    name: "reactions",
    columns: sql`r.post_id as "postId", r.emoji, r.created_at as "createdAt"`,
    from: (userId) => sql`reactions r where r.user_id = ${userId}`,
    at: sql`r.created_at`,
    id: sql`r.post_id::text || r.emoji`,
  },
  {
    name: "chat-reactions",
    columns: sql`r.message_id as "messageId", r.emoji, r.created_at as "createdAt"`,
    from: (userId) => sql`chat_reactions r where r.user_id = ${userId}`,
    at: sql`r.created_at`,
    id: sql`r.message_id::text || r.emoji`,
  },
  {
    name: "poll-votes",
    columns: sql`q.post_id as "postId", pv.option_id as "optionId", pv.created_at as "createdAt"`,
    from: (userId) => sql`poll_votes pv join polls q on q.id = pv.poll_id where pv.user_id = ${userId}`,
    at: sql`pv.created_at`,
    id: sql`pv.option_id::text`,
  },
  {
    name: "bookmarks",
    columns: sql`b.post_id as "postId", b.created_at as "createdAt"`,
    from: (userId) => sql`bookmarks b where b.user_id = ${userId}`,
    at: sql`b.created_at`,
    id: sql`b.post_id::text`,
  },
  {
    name: "records",
    columns: sql`r.post_id as "postId", r.content_hash as "contentHash", r.status, r.tx_hash as "txHash",
      r.block_number as "blockNumber", r.created_at as "createdAt"`,
    from: (userId) => sql`records r where r.recorder_id = ${userId}`,
    at: sql`r.created_at`,
    id: sql`r.id::text`,
  },
  {
    name: "reports",
    columns: sql`r.post_id as "postId", r.comment_id as "commentId", r.reason, r.details, r.status,
      r.created_at as "createdAt"`,
    from: (userId) => sql`reports r where r.reporter_id = ${userId}`,
    at: sql`r.created_at`,
    id: sql`r.id::text`,
  },
  {
    name: "reports-to-operators",
    columns: sql`r.kind, r.target_id as "targetId", r.reason, r.details, r.status, r.created_at as "createdAt"`,
    from: (userId) => sql`desk_reports r where r.reporter_id = ${userId}`,
    at: sql`r.created_at`,
    id: sql`r.id::text`,
  },
  {
    name: "notifications",
    columns: sql`n.kind, n.topic_id as "topicId", n.post_id as "postId", n.comment_id as "commentId", n.reason,
      n.details, n.created_at as "createdAt", n.read_at as "readAt"`,
    from: (userId) => sql`notifications n where n.user_id = ${userId}`,
    at: sql`n.created_at`,
    id: sql`n.id::text`,
  },
  {
    name: "read-topics",
    columns: sql`r.topic_id as "topicId", r.post_position as "postPosition", r.chat_position as "chatPosition",
      r.read_at as "readAt"`,
    from: (userId) => sql`topic_reads r where r.user_id = ${userId}`,
    at: sql`r.read_at`,
    id: sql`r.topic_id::text`,
  },
  {
    name: "read-threads",
    columns: sql`h.post_id as "postId", h.position, h.read_at as "readAt"`,
    from: (userId) => sql`thread_reads h where h.user_id = ${userId}`,
    at: sql`h.read_at`,
    id: sql`h.post_id::text`,
  },
  {
    name: "join-requests",
    columns: sql`j.topic_id as "topicId", j.status, j.created_at as "createdAt", j.decided_at as "decidedAt"`,
    from: (userId) => sql`join_requests j where j.user_id = ${userId}`,
    at: sql`j.created_at`,
    id: sql`j.id::text`,
  },
  {
    name: "invites",
    columns: sql`i.topic_id as "topicId", i.created_at as "createdAt", i.expires_at as "expiresAt", i.used_at as "usedAt"`,
    from: (userId) => sql`invite_tokens i where i.issued_by = ${userId}`,
    at: sql`i.created_at`,
    id: sql`i.token_hash`,
  },
  {
    name: "topics-owned",
    // Not the invite code, which lets anyone in.
    columns: sql`t.id, t.title, t.description, t.image, t.banner, t.visibility,
      t.requires_approval as "requiresApproval", t.proof_type as "proofType",
      t.required_domain as "requiredDomain", t.allowed_countries as "allowedCountries",
      t.excluded_countries as "excludedCountries", t.reprove_days as "reproveDays",
      t.slow_mode_seconds as "slowModeSeconds", t.links_after_posts as "linksAfterPosts", t.rules,
      t.review_words as "reviewWords", t.created_at as "createdAt"`,
    from: (userId) =>
      sql`topics t join memberships m on m.topic_id = t.id where m.user_id = ${userId} and m.role = 'owner'`,
    at: sql`t.created_at`,
    id: sql`t.id::text`,
  },
  {
    name: "acts-as-staff",
    // Without whom they met.
    columns: sql`l.topic_id as "topicId", l.seq, l.action, l.post_id as "postId", l.comment_id as "commentId",
      l.reason, l.at as "createdAt", l.hash`,
    from: (userId) => sql`moderation_log l where l.actor_id = ${userId}`,
    at: sql`l.at`,
    id: sql`l.topic_id::text || lpad(l.seq::text, 12, '0')`,
  },
  {
    name: "acts-as-operator",
    columns: sql`l.seq, l.action, l.role, l.target_kind as "targetKind", l.target_id as "targetId", l.reason,
      l.at as "createdAt", l.hash`,
    from: (userId) => sql`installation_log l where l.actor_id = ${userId}`,
    at: sql`l.at`,
    id: sql`lpad(l.seq::text, 12, '0')`,
  },
  {
    name: "sanctions",
    columns: sql`s.topic_id as "topicId", s.kind, s.reason, s.created_at as "createdAt", s.until`,
    from: (userId) => sql`sanctions s where s.user_id = ${userId}`,
    at: sql`s.created_at`,
    id: sql`s.id::text`,
  },
  {
    name: "sanctions-by-operators",
    columns: sql`s.kind, s.reason, s.created_at as "createdAt", s.until`,
    from: (userId) =>
      sql`account_sanctions s where s.identity_hash = (select identity_hash from users where id = ${userId})`,
    at: sql`s.created_at`,
    id: sql`s.kind`,
  },
  {
    name: "removals",
    columns: sql`x.topic_id as "topicId", x.removed_at as "removedAt"`,
    from: (userId) => sql`removals x where x.user_id = ${userId}`,
    at: sql`x.removed_at`,
    id: sql`x.topic_id::text`,
  },
];

/** The member's posts, each of which is a file. */
export const posts: List = {
  name: "posts",
  // A secret topic's title is for its members.
  columns: sql`p.id, p.topic_id as "topicId",
    case when t.visibility <> 'secret' or m.user_id is not null then t.title end as "topicTitle", p.title, p.content, p.media,
    (select json_build_object('question', q.question, 'multipleChoice', q.multiple_choice, 'closesAt', q.closes_at, 'options',
      (select json_agg(json_build_object('id', o.id, 'text', o.text, 'votes', o.vote_count) order by o.position)
        from poll_options o where o.poll_id = q.id)) from polls q where q.post_id = p.id) as poll,
    p.upvote_count as "upvoteCount", p.view_count as "viewCount", p.record_count as "recordCount",
    p.hidden_at is not null as "isHidden", p.created_at as "createdAt", p.updated_at as "updatedAt",
    (select coalesce(json_agg(pt.name order by pt.position), '[]') from post_tags pt where pt.post_id = p.id) as tags`,
  from: (userId) => sql`posts p join topics t on t.id = p.topic_id
    left join memberships m on m.topic_id = p.topic_id and m.user_id = p.author_id
    where p.author_id = ${userId} and p.deleted_at is null`,
  at: sql`p.created_at`,
  id: sql`p.id::text`,
};
