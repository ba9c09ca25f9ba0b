import { randomUUID } from "node:crypto";
import type { Db, Trx } from "@/db/schema";
import type { Handler, MemberContext } from "@/lib/context";
import type { contract } from "@/lib/contract";
import type { ChatMessage } from "@/lib/contract/chat";
import { Refusal } from "@/lib/errors";
import { messageAccess } from "@/lib/policy/chat";
import { keysIn } from "@/lib/storage/keys";
import { namesInText } from "../mentions/find";
import { membersNamed } from "../mentions/store";
import { notify } from "../notifications/notify";
import { authorizeTopic, type TopicRow } from "../topics/load";
import { assertLive, holdTopic, roleOf } from "../topics/membership";
import { assertUsage } from "../trust/accounts";
import { assertNotRepeated } from "../trust/repeated";
import { usageOfText } from "../trust/texts";
import { assertTopicRules, heldMessage, heldNotifications, isHeld, logHeld } from "../trust/topic-rules";
import { viewerOf } from "../viewer";
import { write } from "../write";
import { addEntries, lockRoom, messageView, type Quoted, quoted } from "./entries";

/**
 * POST /api/topics/{topicId}/chat: plain text, stored as written. Clients must show it as text.
 * @throws Refusal topic_not_found, not_a_member, muted, message_not_found, new_account_limit, slow_mode,
 *   links_too_early, duplicate_text
 */
export const sendMessage: Handler<typeof contract.chat.send> = async (
  ctx,
  { topicId, message: text, replyToId },
) => {
  const message = await new Promise<ChatMessage>((resolve, reject) => {
    const outgoing = { ctx, text, replyToId: replyToId ?? null, resolve, reject };
    const byTopic = queues.get(ctx.db) ?? new Map<string, Outgoing[]>();
    queues.set(ctx.db, byTopic);
    const queue = byTopic.get(topicId);
    if (queue) queue.push(outgoing);
    else void sendAll(byTopic, topicId, [outgoing]);
  });
  return { message };
};

/** A message that waits to be written. */
interface Outgoing {
  readonly ctx: MemberContext;
  readonly text: string;
  /** The message it answers. */
  readonly replyToId: string | null;
  readonly resolve: (message: ChatMessage) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Messages by topic, of topics where this process is writing one. Those that arrive meanwhile are written together: the
 * room's row, which numbers them, is held until a commit is on the disk, so one message each would be that slow.
 */
const queues = new WeakMap<Db, Map<string, Outgoing[]>>();
/** Messages written in one transaction. */
const MAX_TOGETHER = 50;

async function sendAll(byTopic: Map<string, Outgoing[]>, topicId: string, queue: Outgoing[]): Promise<void> {
  byTopic.set(topicId, queue);
  while (queue.length > 0) {
    const together = takeTogether(queue);
    try {
      await writeMessages(topicId, together);
    } catch (error) {
      if (together.length === 1) together[0]?.reject(error);
      // Each alone, so that one refusal does not concern the others.
      else for (const one of together) await writeMessages(topicId, [one]).catch(one.reject);
    }
  }
  byTopic.delete(topicId);
}

/** Takes the next messages that can be written together: those that lock nothing but the room, or else one. */
function takeTogether(queue: Outgoing[]): Outgoing[] {
  const others = queue.findIndex(
    ({ text, replyToId }) => replyToId !== null || namesInText(text).length > 0 || keysIn(text).length > 0,
  );
  const plain = others === -1 ? queue.length : others;
  return queue.splice(0, Math.max(1, Math.min(plain, MAX_TOGETHER)));
}

/** Writes messages in one transaction and resolves them. @throws Refusal when one is refused; then none is written */
async function writeMessages(topicId: string, messages: readonly Outgoing[]): Promise<void> {
  const [first] = messages;
  if (!first) return;
  const now = first.ctx.now();
  const senders = new Map(messages.map(({ ctx: { caller } }) => [caller.userId, caller]));
  const written = await write(first.ctx, async (trx, effects) => {
    await holdTopic(trx, topicId);
    const topics = new Map<string, TopicRow>();
    for (const [userId, caller] of senders) {
      topics.set(userId, await authorizeTopic(trx, topicId, caller, "write"));
    }
    const checked: { id: string; isHeld: boolean }[] = [];
    for (const { ctx, text } of messages) {
      checked.push(await checkText(trx, ctx, text, topics.get(ctx.caller.userId)));
    }
    const answered: (Answered | null)[] = [];
    for (const message of messages) answered.push(await findAnswered(trx, message, topics));
    const entries = await addEntries(
      trx,
      topicId,
      messages.map(({ ctx, text, replyToId }, index) => ({
        userId: ctx.caller.userId,
        type: "message",
        text,
        replyToId,
        automated: ctx.caller.automation !== null,
        ...checked[index],
      })),
      now,
    );
    // Users and inboxes are locked after the chat room.
    const authors = new Map<string, Awaited<ReturnType<typeof assertLive>>>();
    for (const userId of senders.keys()) authors.set(userId, await assertLive(trx, userId));
    effects.publish({
      kind: "chat",
      topicId,
      position: Math.max(...entries.map(({ position }) => position)),
    });
    for (const [index, { ctx, text }] of messages.entries()) {
      const details = { messageId: entries[index]?.id ?? "" };
      if (checked[index]?.isHeld) {
        const held = heldMessage(topicId, ctx.caller.userId, details.messageId);
        const act = { topicId, actorId: null, now };
        await notify(trx, effects, act, await heldNotifications(trx, held));
        continue;
      }
      const reply = answered[index];
      const named = await membersNamed(trx, topicId, namesInText(text));
      await notify(trx, effects, { topicId, actorId: ctx.caller.userId, now }, [
        { kind: "chat_reply", to: reply?.isMember ? [reply.quote.userId] : [], details },
        { kind: "chat_mention", to: named, details },
      ]);
    }
    return { entries, authors, answered, topics, checked };
  });
  for (const [index, { ctx, text, resolve }] of messages.entries()) {
    const { userId } = ctx.caller;
    const entry = written.entries[index];
    const author = written.authors.get(userId);
    if (!entry || !author) throw new Error("the message was not written");
    const row = {
      ...untouched,
      ...author,
      id: entry.id,
      topic_id: topicId,
      position: entry.position,
      user_id: userId,
      message: text,
      automated: ctx.caller.automation !== null,
      created_at: entry.createdAt,
      author_domains: entry.domains,
      reply: written.answered[index]?.quote ?? null,
      hidden_at: written.checked[index]?.isHeld ? entry.createdAt : null,
    };
    resolve(messageView(row, { userId, role: written.topics.get(userId)?.role ?? null }));
  }
}

/**
 * Checks a text against the limits of its author and the rules of the topic, and logs one that will wait for review.
 * Call it before the room is locked.
 * @throws Refusal new_account_limit, slow_mode, links_too_early, duplicate_text
 */
async function checkText(
  trx: Trx,
  ctx: MemberContext,
  text: string,
  topic: TopicRow | undefined,
): Promise<{ id: string; isHeld: boolean }> {
  if (!topic) throw new Error("the sender's topic was not read");
  const id = randomUUID();
  const usage = usageOfText(text);
  await assertUsage(trx, ctx, usage);
  const writer = { ...topic, topicId: topic.id };
  await assertTopicRules(trx, ctx, writer, usage);
  await assertNotRepeated(trx, ctx, { postId: null, commentId: id, words: text, usage });
  const held = isHeld(writer, text);
  if (held) await logHeld(trx, heldMessage(topic.id, ctx.caller.userId, id), ctx.now());
  return { id, isHeld: held };
}

/** What a message has that was just sent. */
const untouched = {
  type: "message",
  edited_at: null,
  deleted_at: null,
  deleted_by: null,
  hidden_by: null,
  changed_position: null,
  reactions: {},
  reacted: null,
} as const;

/** The message that another one answers. */
interface Answered {
  readonly quote: Quoted;
  /** Whether its author is still in the topic. */
  readonly isMember: boolean;
}

/** @throws Refusal message_not_found unless the sender may answer this message in this topic */
async function findAnswered(
  trx: Trx,
  { ctx: { caller }, replyToId }: Outgoing,
  topics: ReadonlyMap<string, TopicRow>,
): Promise<Answered | null> {
  const topic = topics.get(caller.userId);
  if (replyToId === null || !topic) return null;
  // What the answer quotes must not be older than the stream.
  await lockRoom(trx, topic.id);
  const found = await trx
    .selectFrom("chat_messages as m")
    .select((eb) => [quoted(eb.ref("m.id")).as("quote")])
    .where("m.id", "=", replyToId)
    .where("m.topic_id", "=", topic.id)
    .executeTakeFirst();
  const quote = found?.quote;
  if (!quote) throw new Refusal("message_not_found", { field: "replyToId" });
  const { visibility } = topic;
  const state = { ...quote, visibility, mine: quote.userId === caller.userId };
  const decision = messageAccess(state, viewerOf(caller, topic)).reply;
  if (decision !== "allowed") throw new Refusal(decision, { field: "replyToId" });
  return { quote, isMember: (await roleOf(trx, topic.id, quote.userId)) !== null };
}
