import type { ChatStart } from "@/components/chat/provider";
import { PAGE_SIZE } from "@/components/chat/room";
import type { TopicView } from "@/components/topic/header";
import * as community from "@/lib/community";
import { contract } from "@/lib/contract";
import { readAsMember } from "./result";

/** The state a chat starts with; null where the visitor may not read it. @param limit number of latest entries */
export async function chatStart(
  { topic: { id: topicId }, muted }: Pick<TopicView, "topic" | "muted">,
  me: string,
  limit = PAGE_SIZE,
): Promise<ChatStart | null> {
  const found = await readAsMember((ctx) =>
    Promise.all([
      community.listMessages(ctx, { topicId, ...contract.chat.list.query.parse({ limit }) }),
      community.readPresence(ctx, { topicId }),
    ]),
  );
  if (!found?.ok) return null;
  const [{ messages }, presence] = found.value;
  return { topicId, me, latest: messages, presence, muted };
}
