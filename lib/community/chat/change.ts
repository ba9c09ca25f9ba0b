import { sql, type Updateable } from "kysely";
import type { Database, Trx } from "@/db/schema";
import type { Handler, MemberContext } from "@/lib/context";
import type { contract } from "@/lib/contract";
import type { ChatMessage } from "@/lib/contract/chat";
import { Refusal } from "@/lib/errors";
import { type MessageAccess, messageAccess } from "@/lib/policy/chat";
import { actsAsOperator, assertAllowed } from "@/lib/policy/decision";
import { mayShowAgain } from "@/lib/policy/desk";
import { topicAccess } from "@/lib/policy/topic";
import { assertFreshProof } from "@/lib/session/fresh-proof";
import { isHiddenByOperators, logOperatorAct } from "../desk/log";
import { namesInText } from "../mentions/find";
import { membersNamed } from "../mentions/store";
import { logStaffAct } from "../moderation/log";
import { byOperators, notify } from "../notifications/notify";
import { loadTopic, type TopicRow } from "../topics/load";
import { assertLive } from "../topics/membership";
import { assertAllowedIn } from "../topics/membership-rules";
import { assertUsage } from "../trust/accounts";
import { assertNotRepeated } from "../trust/repeated";
import { usageOfText } from "../trust/texts";
import { assertLinksAllowed, heldMessage, heldNotifications, isHeld, logHeld } from "../trust/topic-rules";
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
 * @throws Refusal message_not_found, not_a_member, not_the_author, muted, new_account_limit, links_too_early,
 *   duplicate_text
 */
export const updateMessage: Handler<typeof contract.chat.update> = async (ctx, { messageId, message }) => {
  const { caller } = ctx;
  const now = ctx.now();
  return await write(ctx, async (trx, effects) => {
    const usage = usageOfText(message);
    // Before the room is locked, as when a message is sent.
    await assertNotRepeated(trx, ctx, { postId: null, commentId: messageId, words: message, usage });
    const { row, reader, topic, access } = await lockMessage(trx, ctx, messageId, "for no key update");
    const topicId = row.topic_id;
    await assertAllowedIn(trx, access.edit, topicId, caller);
    if (message === row.message) return { message: messageView(row, reader) };
    await assertUsage(trx, ctx, usage);
    const writer = { ...topic, topicId };
    await assertLinksAllowed(trx, ctx, writer, usage);
    const held = row.hidden_at === null && isHeld(writer, message);
    const heldText = heldMessage(topicId, caller.userId, messageId);
    if (held) await logHeld(trx, heldText, now);
    await recordChange(trx, effects, row, {
      ...{ message, edited_at: now },
      ...(held && { hidden_at: now }),
      ...(caller.automation && { automated: true }),
    });
    await claimUploadsIn(trx, message);
    if (held) {
      const act = { topicId, actorId: null, now };
      await notify(trx, effects, act, await heldNotifications(trx, heldText));
      return { message: await readMessage(trx, messageId, reader) };
    }
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
  const deletedBy = await write(ctx, (trx, effects) =>
    deleteMessageWithin(trx, effects, ctx, { messageId, reason }),
  );
  return { success: true, deletedBy };
};

interface StaffWrite {
  readonly messageId: string;
  readonly reason: string | undefined;
  /** Whether an operator decides a report, which counts as their act also where they are of the topic's staff. */
  readonly fromDesk?: boolean;
}

/**
 * Deletes a message in a transaction, with the entries of the logs and the author's notification.
 * @throws Refusal message_not_found, not_a_member, role_required; fresh_proof_required for an operator
 */
export async function deleteMessageWithin(
  trx: Trx,
  effects: Effects,
  ctx: MemberContext,
  { messageId, reason, fromDesk = false }: StaffWrite,
): Promise<"author" | "admin"> {
  const { caller } = ctx;
  const now = ctx.now();
  const { row, reader, access } = await lockMessage(trx, ctx, messageId, "for no key update");
  assertAllowed(access.delete);
  const deletedBy = row.user_id === caller.userId && !fromDesk ? "author" : "admin";
  const asOperator =
    fromDesk || (deletedBy === "admin" && actsAsOperator({ mine: false, role: reader.role }));
  if (asOperator) assertFreshProof(ctx);
  await recordChange(trx, effects, row, {
    message: "",
    reactions: JSON.stringify({}),
    deleted_at: now,
    deleted_by: deletedBy,
  });
  await trx.deleteFrom("chat_reactions").where("message_id", "=", messageId).execute();
  if (deletedBy === "admin") {
    const acts = ["message_deleted", "message_removed"] as const;
    await tellOfStaffAct(trx, effects, ctx, { row, now, reason, acts, asOperator });
  }
  return deletedBy;
}

/**
 * POST /api/chat/{messageId}/hide: hides a message from everyone but staff and its author, or shows it again. Hiding a
 * hidden message, or showing a visible one, changes and logs nothing.
 * @throws Refusal message_not_found, not_a_member, role_required, hidden_by_operators, own_case
 */
export const hideMessage: Handler<typeof contract.moderation.hideMessage> = async (
  ctx,
  { messageId, hidden, reason },
) => {
  await write(ctx, (trx, effects) => setMessageHidden(trx, effects, ctx, { messageId, hidden, reason }));
  return { isHidden: hidden };
};

/**
 * Hides a message in a transaction or shows it again, with the entries of the logs and the author's notification.
 * @returns whether that changed it
 * @throws Refusal message_not_found, not_a_member, role_required, hidden_by_operators, own_case
 */
export async function setMessageHidden(
  trx: Trx,
  effects: Effects,
  ctx: MemberContext,
  { messageId, hidden, reason, fromDesk = false }: StaffWrite & { readonly hidden: boolean },
): Promise<boolean> {
  const { caller } = ctx;
  const now = ctx.now();
  const { row, isStaff, access } = await lockMessage(trx, ctx, messageId, "for no key update");
  assertAllowed(access.hide);
  // Staff who hide a message that waits for review decide that it stays hidden.
  const isWaiting = row.hidden_at !== null && row.hidden_by === null;
  if ((row.hidden_at !== null) === hidden && !(hidden && isWaiting)) return false;
  const hiddenByOperators = !hidden && (await isHiddenByOperators(trx, "message", messageId));
  const mine = row.user_id === caller.userId;
  if (!hidden) assertAllowed(mayShowAgain({ hiddenByOperators, mine }, caller.operator));
  const mark = hidden ? { hidden_at: now, hidden_by: caller.userId } : { hidden_at: null, hidden_by: null };
  await recordChange(trx, effects, row, mark);
  const act = hidden ? "message_hidden" : "message_shown";
  const asOperator = fromDesk || !isStaff || hiddenByOperators;
  await tellOfStaffAct(trx, effects, ctx, { row, now, reason, acts: [act, act], asOperator });
  return true;
}

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
    const reactions = JSON.stringify({ ...row.reactions, [emoji]: count });
    await recordChange(trx, effects, row, { reactions }, { calm: true });
    return { message: await readMessage(trx, messageId, reader) };
  });
};

interface LockedMessage {
  readonly row: EntryRow;
  readonly reader: EntryReader;
  readonly topic: TopicRow;
  /** Whether the caller is of the topic's staff. */
  readonly isStaff: boolean;
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
  const viewer = viewerOf(caller, topic);
  const state = {
    visibility: topic.visibility,
    deleted: row.deleted_at !== null,
    hidden: row.hidden_at !== null,
    mine: row.user_id === caller.userId,
  };
  return {
    row,
    reader: { userId: caller.userId, role: topic.role },
    topic,
    isStaff: topicAccess(topic, viewer).moderate === "allowed",
    access: messageAccess(state, viewer),
  };
}

/**
 * Changes a message that this transaction locked, at the next position of its chat.
 * @param calm whether subscribers may get it together with what follows within a moment
 */
async function recordChange(
  trx: Trx,
  effects: Effects,
  { id, topic_id: topicId }: EntryRow,
  change: Updateable<Database["chat_messages"]>,
  { calm }: { readonly calm?: true } = {},
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
  effects.publish({ kind: "chat", topicId, position, calm });
}

/**
 * Hides messages of one topic, each at the next position of its chat, in a transaction that holds the topic's row.
 * Neither logs nor tells their authors.
 */
export async function hideMessages(
  trx: Trx,
  effects: Effects,
  { topicId, ids, by, now }: { topicId: string; ids: readonly string[]; by: string; now: Date },
): Promise<void> {
  if (ids.length === 0) return;
  await lockRoom(trx, topicId);
  const { rows } = await sql<{ position: number }>`
    with picked as (
      select id, row_number() over (order by position) as n from chat_messages where id = any(${ids}::uuid[])
    ), room as (
      update chat_rooms set last_position = last_position + (select count(*) from picked)
      where topic_id = ${topicId} returning last_position - (select count(*) from picked) as before
    ), changed as (
      update chat_messages m set hidden_at = ${now}, hidden_by = ${by}, changed_position = room.before + picked.n
      from picked, room where m.id = picked.id returning m.id, m.changed_position
    )
    insert into chat_changes (message_id, topic_id, position)
    select id, ${topicId}, changed_position from changed
    on conflict (message_id) do update set position = excluded.position
    returning position`.execute(trx);
  effects.publish({
    kind: "chat",
    topicId,
    position: Math.max(...rows.map(({ position }) => Number(position))),
  });
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
  /** Whether an operator did it, and not the topic's staff. */
  readonly asOperator: boolean;
}

/** Logs what staff did with a message, and notifies its author. */
async function tellOfStaffAct(
  trx: Trx,
  effects: Effects,
  { caller }: MemberContext,
  { row, now, reason, acts: [action, kind], asOperator }: StaffChange,
): Promise<void> {
  const act = { topicId: row.topic_id, actorId: caller.userId, now };
  const details = { messageId: row.id };
  await logStaffAct(trx, { ...act, action, subjectId: row.user_id, reason, details });
  if (asOperator) {
    const target = { targetKind: "message", targetId: row.id } as const;
    await logOperatorAct(trx, { ...act, ...target, role: "operator", action, reason });
  }
  const told = { ...details, ...byOperators(asOperator) };
  await notify(trx, effects, act, [{ kind, to: [row.user_id], reason, details: told }]);
}
