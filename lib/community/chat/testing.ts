import { type ChatMessage, contract } from "@/lib/contract";
import { openEvents } from "@/lib/testing/events";
import type { Harness, TestUser } from "@/lib/testing/harness";
import { addTo, makeTopic, signIn } from "../testing";

/** A topic with its owner and members. */
export async function chatRoom(h: Harness, members = 1) {
  const owner = await signIn(h, "owner");
  const topic = await makeTopic(owner);
  const others: TestUser[] = [];
  for (let i = 0; i < members; i += 1) {
    const member = await signIn(h, "member");
    await addTo(h.db, topic.id, member);
    others.push(member);
  }
  const [member = owner] = others;
  return { topicId: topic.id, owner, member, others };
}

/** Opens the stream of a topic's chat. */
export async function follow(
  h: Pick<Harness, "fetch">,
  { token }: Pick<TestUser, "token">,
  topicId: string,
  lastEventId?: string,
) {
  const path = `/api/topics/${topicId}/chat/subscribe`;
  return await openEvents(h, contract.chat.subscribe, path, { token, lastEventId });
}

/** Says something. */
export async function say({ api }: TestUser, topicId: string, message: string, replyToId?: string) {
  return (await api.call(contract.chat.send, { topicId, message, replyToId })).message;
}

/** The history with messages as the stream has them, for all readers the same: without what folds for this one. */
export async function history({ api }: TestUser, topicId: string, query: object = {}) {
  const { messages, total } = await api.call(contract.chat.list, { topicId, ...query });
  return { messages: messages.map(({ isFolded: _, ...message }) => message), total };
}

export async function edit({ api }: TestUser, messageId: string, message: string) {
  return (await api.call(contract.chat.update, { messageId, message })).message;
}

export async function remove({ api }: TestUser, messageId: string, reason?: string) {
  return await api.call(contract.chat.delete, { messageId, reason });
}

export async function hide({ api }: TestUser, messageId: string, hidden = true, reason?: string) {
  return await api.call(contract.moderation.hideMessage, { messageId, hidden, reason });
}

export const FIRE = "\u{1F525}";
export const THUMB = "\u{1F44D}";

/** Gives a reaction, or takes it back. */
export async function react(
  { api }: TestUser,
  messageId: string,
  reacted = true,
  emoji: typeof FIRE | typeof THUMB = FIRE,
) {
  return (await api.call(contract.chat.react, { messageId, emoji, reacted })).message;
}

type Stream = Awaited<ReturnType<typeof follow>>;

/**
 * Returns what a client has that read the history and then these streams, one after the other: each message as the
 * newest event says.
 */
export function shownBy(read: readonly ChatMessage[], streams: readonly Stream[]): Map<string, ChatMessage> {
  const shown = new Map(read.map((message) => [message.id, message]));
  for (const { event, data } of streams.flatMap(({ received }) => received)) {
    if (event !== "message" && event !== "message_changed") continue;
    const message = contract.chat.subscribe.events.message.parse(data);
    const known = shown.get(message.id);
    const isNews = known ? known.revision < message.revision : event === "message";
    if (isNews) shown.set(message.id, message);
  }
  return shown;
}

/** Returns messages as everybody gets them in the stream. */
export function forEverybody(messages: readonly ChatMessage[]): ChatMessage[] {
  return messages.map((message) => ({
    ...message,
    reactions: message.reactions.map(({ emoji, count }) => ({ emoji, count })),
  }));
}

export async function presence({ api }: TestUser, topicId: string) {
  return await api.call(contract.chat.presence, { topicId });
}
