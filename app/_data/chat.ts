import type { ChatStart } from "@/components/chat/provider";
import { pageSize } from "@/components/chat/room";
import type { TopicView } from "@/components/topic/header";
import * as community from "@/lib/community";
import { contract } from "@/lib/contract";
import { pageContext } from "@/lib/http/page";
import { read } from "./result";

/** A chat as its page begins with it; null where the visitor may not read it. @param limit latest entries */
export async function chatStart(
  { topic, muted }: Pick<TopicView, "topic" | "muted">,
  me: string,
  limit = pageSize,
): Promise<ChatStart | null> {
  const ctx = await pageContext();
  const { caller } = ctx;
  if (!caller) return null;
  const member = { ...ctx, caller };
  const topicId = topic.id;
  const found = await read(() =>
    Promise.all([
      community.listMessages(member, { topicId, ...contract.chat.list.query.parse({ limit }) }),
      community.readPresence(member, { topicId }),
    ]),
  );
  if (!found.ok) return null;
  const [{ messages }, presence] = found.value;
  return { topicId, me, latest: messages, presence, muted };
}
