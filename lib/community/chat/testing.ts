import { contract } from "@/lib/contract";
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
export async function say({ api }: TestUser, topicId: string, message: string) {
  return (await api.call(contract.chat.send, { topicId, message })).message;
}

export async function history({ api }: TestUser, topicId: string, query: object = {}) {
  return await api.call(contract.chat.list, { topicId, ...query });
}

export async function presence({ api }: TestUser, topicId: string) {
  return await api.call(contract.chat.presence, { topicId });
}
