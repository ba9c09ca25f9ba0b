import { type Kysely, sql } from "kysely";

export const kind = "expand";

/** Replies, edits, deletion, hiding and reactions of chat messages. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // Replies have no foreign key: messages are deleted only with their chat, and each expired join would be looked up.
  `alter table chat_messages
    add column reply_to_id uuid,
    add column edited_at timestamptz,
    add column deleted_at timestamptz,
    add column deleted_by text,
    add column hidden_at timestamptz,
    add column hidden_by text references users (id),
    add column changed_position bigint`,
  // Number of members by emoji. A statement of its own: next to a default, PostgreSQL checks the reference of every row.
  "alter table chat_messages add column reactions jsonb not null default '{}'::jsonb",
  // The newest change of each message that was changed, numbered together with the messages of its chat. A table of its
  // own, because an index of the messages would be built while they are locked.
  `create table chat_changes (
    message_id uuid primary key references chat_messages (id) on delete cascade,
    topic_id uuid not null,
    position bigint not null,
    unique (topic_id, position)
  )`,
  `create table chat_reactions (
    message_id uuid not null references chat_messages (id) on delete cascade,
    user_id text not null references users (id),
    emoji text not null,
    created_at timestamptz not null,
    primary key (message_id, emoji, user_id)
  )`,
  "create index chat_reactions_user on chat_reactions (user_id)",
];
