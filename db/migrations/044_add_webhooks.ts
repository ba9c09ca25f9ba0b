import { type Kysely, sql } from "kysely";

export const kind = "expand";

/**
 * Webhooks of topics, and what they tell. Triggers note it, so that no way of writing forgets to: whoever changes a text
 * or a membership, by whatever act, changes one of these rows. A topic without webhooks notes nothing.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

/** SQL: notes an event, unless the topic has no webhook. */
const note = (kind: string, topic: string, post: string, comment: string, message: string, member: string) =>
  `insert into topic_events (topic_id, kind, post_id, comment_id, message_id, user_id)
    select ${topic}, ${kind}, ${post}, ${comment}, ${message}, ${member}
    where exists (select from webhooks w where w.topic_id = ${topic})`;

/** SQL: a trigger function that says what became of a text, by whether everybody could read it before and can now. */
const noteText = (name: string, kind: string, topic: string, ids: readonly [string, string, string]) =>
  `create function ${name}() returns trigger language plpgsql as $$
  declare
    was boolean := tg_op = 'UPDATE' and old.deleted_at is null and old.hidden_at is null;
    is_shown boolean := new.deleted_at is null and new.hidden_at is null;
    what text := case when is_shown and not was then 'created' when was and not is_shown then 'removed'
      when was and is_shown then 'updated' end;
  begin
    if what is not null then
      ${note(`'${kind}.' || what`, topic, ...ids, "null")};
    end if;
    return null;
  end $$`;

const statements = [
  `create table webhooks (
    id uuid primary key default gen_random_uuid(),
    topic_id uuid not null references topics (id) on delete cascade,
    user_id text not null references users (id),
    url text not null,
    events text[] not null,
    position bigint not null,
    attempts integer not null default 0,
    failing_since timestamptz,
    stopped_at timestamptz,
    next_at timestamptz,
    created_at timestamptz not null
  )`,
  "create index webhooks_topic on webhooks (topic_id)",
  "create index webhooks_user on webhooks (user_id)",
  "create index webhooks_due on webhooks (next_at) where next_at is not null",
  // Numbers the events of a topic; it stays when the last webhook goes, so that no number is given twice.
  `create table webhook_streams (
    topic_id uuid primary key references topics (id) on delete cascade,
    last_position bigint not null default 0
  )`,
  // Without a reference to the topic: its members leave while it is being deleted.
  `create table topic_events (
    id bigint generated always as identity primary key,
    topic_id uuid not null,
    position bigint,
    kind text not null,
    post_id uuid,
    comment_id uuid,
    message_id uuid,
    user_id text,
    at timestamptz not null default now()
  )`,
  "create unique index topic_events_position on topic_events (topic_id, position) where position is not null",
  "create index topic_events_unnumbered on topic_events (topic_id) where position is null",
  "create index topic_events_age on topic_events (at)",
  noteText("note_post_event", "post", "new.topic_id", ["new.id", "null", "null"]),
  noteText("note_comment_event", "comment", "(select p.topic_id from posts p where p.id = new.post_id)", [
    "new.post_id",
    "new.id",
    "null",
  ]),
  noteText("note_message_event", "message", "new.topic_id", ["null", "null", "new.id"]),
  `create function note_member_event() returns trigger language plpgsql as $$
  begin
    if tg_op = 'INSERT' then
      ${note("'member.joined'", "new.topic_id", "null", "null", "null", "new.user_id")};
    else
      ${note("'member.left'", "old.topic_id", "null", "null", "null", "old.user_id")};
    end if;
    return null;
  end $$`,
  `create trigger posts_events after insert or update of title, content, media, deleted_at, hidden_at on posts
    for each row execute function note_post_event()`,
  `create trigger comments_events after insert or update of content, deleted_at, hidden_at on comments
    for each row execute function note_comment_event()`,
  `create trigger chat_messages_events after insert or update of message, deleted_at, hidden_at on chat_messages
    for each row when (new.type = 'message') execute function note_message_event()`,
  `create trigger memberships_events after insert or delete on memberships
    for each row execute function note_member_event()`,
];
