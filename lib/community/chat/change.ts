import { sql, type Updateable } from "kysely";
import type { Database, Trx } from "@/db/schema";
import type { Handler, MemberContext } from "@/lib/context";
import type { contract } from "@/lib/contract";
import type { ChatMessage } from "@/lib/contract/chat";
import { Refusal } from "@/lib/errors";
import { type MessageAccess, messageAccess } from "@/lib/policy/chat";
import { actsAsOperator, assertAllowed } from "@/lib/policy/decision";
import { logOperatorAct } from "../desk/log";
import { namesInText } from "../mentions/find";
import { membersNamed } from "../mentions/store";
import { logStaffAct } from "../moderation/log";
import { notify, removedBy } from "../notifications/notify";
import { loadTopic } from "../topics/load";
import { assertLive } from "../topics/membership";
import { assertAllowedIn } from "../topics/membership-rules";
import { claimUploadsIn } from "../uploads/used";
import { viewerOf } from "../viewer";
import { type Effects, write } from "../write";
import { type EntryReader, type EntryRow, lockRoom, messageView, selectEntries } from "./entries";

/*
 * Every change of a message takes the next position of its chat, under the lock of the room's row, as a new message
 * does: subscribers get messages and changes in the order of their commits (subscribe.ts).
 */

/**
 * PATCH /api/chat/{messageId}: the author changes the text. The same text again changes nothing.
 * @throws Refusal message_not_found, not_a_member, not_the_author, muted
 */
export const updateMessage: Handler<typeof contract.chat.update> = async (ctx, { messageId, message }) => {
  const { caller } = ctx;
  const now = ctx.now();
  return await write(ctx, async (trx, effects) => {
    const { row, reader, access } = await lockMessage(trx, ctx, messageId, "for key share");
    const topicId = row.topic_id;
    await assertAllowedIn(trx, access.edit, topicId, caller);
    if (message === row.message) return { message: messageView(row, reader) };
    await recordChange(trx, effects, row, { message, edited_at: now });
    await claimUploadsIn(trx, message);
    // Nobody else can read it while it is hidden.
    const known = new Set(namesInText(row.message));
    const names = row.hidden_at ? [] : namesInText(message).filter((name) => !known.has(name));
    const to = await membersNamed(trx, topicId, names);
    const mention = { kind: "chat_mention", to, details: { messageId } } as const;
    await notify(trx, effects, { topicId, actorId: caller.userId, now }, [mention]);
    return { message: await readMessage(trx, messageId, reader) };
  });
};

/**
 * DELETE /api/chat/{messageId}: deletes text and reactions; the message keeps its place and its author. `deletedBy` is
 * "author" for the caller's own messages and "admin" for all others, which are logged.
 * @throws Refusal message_not_found, not_a_member, role_required
 */
export const deleteMessage: Handler<typeof contract.chat.delete> = async (ctx, { messageId, reason }) => {
  const { caller } = ctx;
  const now = ctx.now();
  return await write(ctx, async (trx, effects) => {
    const { row, reader, access } = await lockMessage(trx, ctx, messageId, "for no key update");
    assertAllowed(access.delete);
    const deletedBy = row.user_id === caller.userId ? "author" : "admin";
    await recordChange(trx, effects, row, {
      message: "",
      reactions: JSON.stringify({}),
      deleted_at: now,
      deleted_by: deletedBy,
    });
    await trx.deleteFrom("chat_reactions").where("message_id", "=", messageId).execute();
    if (deletedBy === "admin") {
      await tellOfStaffAct(trx, effects, ctx, {
        row,
        now,
        reason,
        acts: ["message_deleted", "message_removed"],
        asOperator: actsAsOperator({ mine: false, role: reader.role }),
      });
    }
    return { success: true, deletedBy };
  });
};

/**
 * POST /api/chat/{messageId}/hide: hides a message from everyone but staff and its author, or shows it again. Hiding a
 * hidden message, or showing a visible one, changes and logs nothing.
 * @throws Refusal message_not_found, not_a_member, role_required
 */
export const hideMessage: Handler<typeof contract.moderation.hideMessage> = async (
  ctx,
  { messageId, hidden, reason },
) => {
  const { caller } = ctx;
  const now = ctx.now();
  return await write(ctx, async (trx, effects) => {
    const { row, access } = await lockMessage(trx, ctx, messageId, "for no key update");
    assertAllowed(access.hide);
    if ((row.hidden_at !== null) === hidden) return { isHidden: hidden };
    const mark = hidden ? { hidden_at: now, hidden_by: caller.userId } : { hidden_at: null, hidden_by: null };
    await recordChange(trx, effects, row, mark);
    const act = hidden ? "message_hidden" : "message_shown";
    await tellOfStaffAct(trx, effects, ctx, { row, now, reason, acts: [act, act] });
    return { isHidden: hidden };
  });
};

/**
 * POST /api/chat/{messageId}/reactions: adds one of the six reactions, or removes it. The call names the result, so that
 * a client may repeat it when an answer was lost.
 * @throws Refusal message_not_found, not_a_member, muted
 */
export const reactToMessage: Handler<typeof contract.chat.react> = async (
  ctx,
  { messageId, emoji, reacted },
) => {
  const { caller } = ctx;
  const { userId } = caller;
  return await write(ctx, async (trx, effects) => {
    const { row, reader, access } = await lockMessage(trx, ctx, messageId, "for key share");
    await assertAllowedIn(trx, access.react, row.topic_id, caller);
    const wasGiven = row.reacted?.includes(emoji) ?? false;
    if (wasGiven === reacted) return { message: messageView(row, reader) };
    const reaction = { message_id: messageId, user_id: userId, emoji };
    if (reacted) {
      await trx
        .insertInto("chat_reactions")
        .values({ ...reaction, created_at: ctx.now() })
        .execute();
      await assertLive(trx, userId);
    } else {
      await trx
        .deleteFrom("chat_reactions")
        .where("message_id", "=", messageId)
        .where("emoji", "=", emoji)
        .where("user_id", "=", userId)
        .execute();
    }
    const count = (row.reactions[emoji] ?? 0) + (reacted ? 1 : -1);
    await recordChange(trx, effects, row, {
      reactions: JSON.stringify({ ...row.reactions, [emoji]: count }),
    });
    return { message: await readMessage(trx, messageId, reader) };
  });
};

interface LockedMessage {
  readonly row: EntryRow;
  readonly reader: EntryReader;
  readonly access: MessageAccess;
}

/**
 * Locks the topic of a message, then its chat, where every write to the message queues, and then reads the message.
 * @param topicLock "for no key update" for what may be logged, since the log locks the topic, which comes before the chat
 * @throws Refusal message_not_found
 */
async function lockMessage(
  trx: Trx,
  { caller }: MemberContext,
  id: string,
  topicLock: "for key share" | "for no key update",
): Promise<LockedMessage> {
  const found = await trx
    .selectFrom("chat_messages")
    .select("topic_id")
    .where("id", "=", id)
    .where("type", "=", "message")
    .executeTakeFirst();
  if (!found) throw new Refusal("message_not_found");
  const topicId = found.topic_id;
  const topics = trx.selectFrom("topics").select("id").where("id", "=", topicId);
  await (topicLock === "for key share" ? topics.forKeyShare() : topics.forNoKeyUpdate()).execute();
  await lockRoom(trx, topicId);
  const [row] = await selectEntries(trx, sql<string>`${caller.userId}`).where("m.id", "=", id).execute();
  // It went with its topic while this waited.
  if (!row) throw new Refusal("message_not_found");
  const topic = await loadTopic(trx, topicId, caller.userId);
  const state = {
    visibility: topic.visibility,
    deleted: row.deleted_at !== null,
    hidden: row.hidden_at !== null,
    mine: row.user_id === caller.userId,
  };
  return {
    row,
    reader: { userId: caller.userId, role: topic.role },
    access: messageAccess(state, viewerOf(caller, topic)),
  };
}

/** Changes a message that this transaction locked, at the next position of its chat. */
async function recordChange(
  trx: Trx,
  effects: Effects,
  { id, topic_id: topicId }: EntryRow,
  change: Updateable<Database["chat_messages"]>,
): Promise<void> {
  const { last_position: position } = await trx
    .updateTable("chat_rooms")
    .set((eb) => ({ last_position: eb("last_position", "+", 1) }))
    .where("topic_id", "=", topicId)
    .returning("last_position")
    .executeTakeFirstOrThrow();
  await trx
    .updateTable("chat_messages")
    .set({ ...change, changed_position: position })
    .where("id", "=", id)
    .execute();
  await trx
    .insertInto("chat_changes")
    .values({ message_id: id, topic_id: topicId, position })
    .onConflict((conflict) => conflict.column("message_id").doUpdateSet({ position }))
    .execute();
  effects.publish({ kind: "chat", topicId, position });
}

async function readMessage(trx: Trx, id: string, reader: EntryReader): Promise<ChatMessage> {
  const row = await selectEntries(trx, sql<string>`${reader.userId}`)
    .where("m.id", "=", id)
    .executeTakeFirstOrThrow();
  return messageView(row, reader);
}

interface StaffChange {
  readonly row: EntryRow;
  readonly now: Date;
  readonly reason: string | undefined;
  /** Its names in the log and in the author's notification. */
  readonly acts: readonly [
    logged: "message_hidden" | "message_shown" | "message_deleted",
    told: "message_hidden" | "message_shown" | "message_removed",
  ];
  /** Whether an operator deleted the message, who is not of the topic's staff. */
  readonly asOperator?: boolean;
}

/** Logs what staff did with a message, and notifies its author. */
async function tellOfStaffAct(
  trx: Trx,
  effects: Effects,
  { caller }: MemberContext,
  { row, now, reason, acts: [action, kind], asOperator = false }: StaffChange,
): Promise<void> {
  const act = { topicId: row.topic_id, actorId: caller.userId, now };
  const details = { messageId: row.id };
  await logStaffAct(trx, { ...act, action, subjectId: row.user_id, reason, details });
  if (asOperator) {
    const target = { targetKind: "message", targetId: row.id } as const;
    await logOperatorAct(trx, { ...act, ...target, role: "operator", action: "message_deleted", reason });
  }
  const told = { ...details, ...removedBy(asOperator) };
  await notify(trx, effects, act, [{ kind, to: [row.user_id], reason, details: told }]);
}
