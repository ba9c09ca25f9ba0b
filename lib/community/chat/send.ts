import type { Db } from "@/db/schema";
import type { Handler, MemberContext } from "@/lib/context";
import type { contract } from "@/lib/contract";
import type { ChatMessage } from "@/lib/contract/chat";
import { keysIn } from "@/lib/storage/keys";
import { namesInText } from "../mentions/find";
import { membersNamed } from "../mentions/store";
import { notify } from "../notifications/notify";
import { authorizeTopic } from "../topics/load";
import { assertLive, holdTopic } from "../topics/membership";
import { write } from "../write";
import { addEntries } from "./entries";

/**
 * POST /api/topics/{topicId}/chat: plain text, stored as written. Clients must show it as text.
 * @throws Refusal topic_not_found, not_a_member, muted
 */
export const sendMessage: Handler<typeof contract.chat.send> = async (ctx, { topicId, message: text }) => {
  const message = await new Promise<ChatMessage>((resolve, reject) => {
    const outgoing = { ctx, text, resolve, reject };
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
  const others = queue.findIndex(({ text }) => namesInText(text).length > 0 || keysIn(text).length > 0);
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
    for (const caller of senders.values()) await authorizeTopic(trx, topicId, caller, "write");
    const entries = await addEntries(
      trx,
      topicId,
      messages.map(({ ctx, text }) => ({ userId: ctx.caller.userId, type: "message", text })),
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
      const to = await membersNamed(trx, topicId, namesInText(text));
      const mention = { kind: "chat_mention", to, details: { messageId: entries[index]?.id ?? "" } } as const;
      await notify(trx, effects, { topicId, actorId: ctx.caller.userId, now }, [mention]);
    }
    return { entries, authors };
  });
  for (const [index, { ctx, text, resolve }] of messages.entries()) {
    const entry = written.entries[index];
    const author = written.authors.get(ctx.caller.userId);
    if (!entry || !author) throw new Error("the message was not written");
    resolve({
      id: entry.id,
      topicId,
      userId: ctx.caller.userId,
      nickname: author.nickname,
      profileImage: author.profile_image,
      message: text,
      type: "message",
      createdAt: entry.createdAt.toISOString(),
    });
  }
}
