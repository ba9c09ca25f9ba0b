import { type RawBuilder, sql } from "kysely";
import type { Trx } from "@/db/schema";
import type { HeldKind } from "@/lib/contract/desk-acts";
import { KEY_PATTERN } from "../uploads/of-post";
import { lockUploads } from "../uploads/used";

/** A legal hold, to take copies for. */
interface Held {
  readonly id: string;
  readonly kind: HeldKind;
  readonly targetId: string;
}

/** SQL: rows (kind, content_id, content) of one kind of text, for a condition. */
type Source = (where: RawBuilder<unknown>) => RawBuilder<unknown>;

const posts: Source = (where) => sql`
  select 'post', p.id::text, jsonb_build_object('topicId', p.topic_id, 'topicTitle', t.title, 'authorId', p.author_id,
    'author', u.nickname, 'title', p.title, 'content', p.content, 'media', p.media, 'createdAt', p.created_at,
    'updatedAt', p.updated_at, 'poll', (select jsonb_build_object('question', q.question, 'options',
      (select jsonb_agg(o.text order by o.position) from poll_options o where o.poll_id = q.id))
      from polls q where q.post_id = p.id))
  from posts p join topics t on t.id = p.topic_id join users u on u.id = p.author_id
  where p.deleted_at is null and ${where}`;
const comments: Source = (where) => sql`
  select 'comment', c.id::text, jsonb_build_object('topicId', p.topic_id, 'postId', c.post_id, 'postTitle', p.title,
    'parentId', c.parent_id, 'authorId', c.author_id, 'author', u.nickname, 'content', c.content,
    'createdAt', c.created_at, 'updatedAt', c.updated_at)
  from comments c join posts p on p.id = c.post_id join users u on u.id = c.author_id
  where c.deleted_at is null and ${where}`;
const messages: Source = (where) => sql`
  select 'message', g.id::text, jsonb_build_object('topicId', g.topic_id, 'authorId', g.user_id, 'author', u.nickname,
    'message', g.message, 'createdAt', g.created_at, 'editedAt', g.edited_at)
  from chat_messages g join users u on u.id = g.user_id
  where g.deleted_at is null and g.type = 'message' and ${where}`;
const topics: Source = (where) => sql`
  select 'topic', t.id::text, jsonb_build_object('title', t.title, 'description', t.description, 'image', t.image, 'banner', t.banner,
    'rules', t.rules, 'visibility', t.visibility, 'ownerId', t.creator_id, 'owner', u.nickname, 'createdAt', t.created_at)
  from topics t join users u on u.id = t.creator_id where ${where}`;
const profiles: Source = (where) => sql`
  select 'profile', u.id, jsonb_build_object('nickname', u.nickname, 'profileImage', u.profile_image,
    'createdAt', u.created_at)
  from users u where u.deleted_at is null and ${where}`;
/** Copies of what was reported, which may be gone or changed since. */
const reports: Source = (where) => sql`
  select 'report', r.id::text, jsonb_build_object('kind', r.kind, 'targetId', r.target_id, 'topicId', r.topic_id,
    'subjectId', r.subject_id, 'reason', r.reason, 'snapshot', r.snapshot, 'createdAt', r.created_at)
  from desk_reports r where r.snapshot_erased_at is null and ${where}`;

const ofTarget = (kind: HeldKind, id: string) => reports(sql`r.kind = ${kind} and r.target_id = ${id}`);

/** What each kind of hold keeps. */
const kept: Readonly<Record<HeldKind, (id: string) => readonly RawBuilder<unknown>[]>> = {
  post: (id) => [posts(sql`p.id = ${id}::uuid`), ofTarget("post", id)],
  comment: (id) => [comments(sql`c.id = ${id}::uuid`), ofTarget("comment", id)],
  message: (id) => [messages(sql`g.id = ${id}::uuid`), ofTarget("message", id)],
  topic: (id) => [
    topics(sql`t.id = ${id}::uuid`),
    posts(sql`p.topic_id = ${id}::uuid`),
    comments(sql`p.topic_id = ${id}::uuid`),
    messages(sql`g.topic_id = ${id}::uuid`),
    reports(sql`r.topic_id = ${id}::uuid`),
  ],
  profile: (id) => [
    profiles(sql`u.id = ${id}`),
    posts(sql`p.author_id = ${id}`),
    comments(sql`c.author_id = ${id}`),
    messages(sql`g.user_id = ${id}`),
    reports(sql`(r.subject_id = ${id} or (r.kind = 'profile' and r.target_id = ${id}))`),
  ],
};

/** Copies the texts of a hold, apart from those that it has in this form. */
export async function takeTexts(trx: Trx, { id, kind, targetId }: Held, now: Date): Promise<void> {
  for (const source of kept[kind](targetId)) {
    await sql`insert into held_texts (hold_id, kind, content_id, digest, taken_at, content)
      select ${id}::uuid, found.kind, found.id, md5(found.content::text), ${now}::timestamptz, found.content
      from (${source}) as found (kind, id, content)
      on conflict do nothing`.execute(trx);
  }
}

/**
 * Notes the files that the texts of a hold name, and for an account all that it uploaded. From the commit on, they are
 * withheld where they would be removed (uploads/store.ts).
 */
export async function takeFiles(trx: Trx, { id, kind, targetId }: Held): Promise<void> {
  const { rows } = await sql<{ key: string }>`
    select u.key from uploads u where u.stored and (u.key in (
        select found[1] from held_texts t, regexp_matches(t.content::text, ${KEY_PATTERN}, 'g') found
        where t.hold_id = ${id}::uuid)
      or ${kind === "profile" ? sql`u.user_id = ${targetId}` : sql`false`})`.execute(trx);
  const keys = rows.map(({ key }) => key);
  // A removal marks the row first: it either waits here, and then finds the hold, or was first.
  await lockUploads(trx, keys);
  await sql`insert into held_files (hold_id, key, content_type, sha256)
    select ${id}::uuid, u.key, u.content_type, nullif(u.sha256, '') from uploads u
    where u.key = any(${keys}::text[]) and u.stored
    on conflict do nothing`.execute(trx);
}
