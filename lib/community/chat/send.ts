import type { Handler } from "@/lib/context";
import type { contract } from "@/lib/contract";
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
  const { caller } = ctx;
  const { userId } = caller;
  const now = ctx.now();
  return await write(ctx, async (trx, effects) => {
    await holdTopic(trx, topicId);
    await authorizeTopic(trx, topicId, caller, "write");
    const [entry] = await addEntries(trx, topicId, [{ userId, type: "message", text }], now);
    if (!entry) throw new Error("the message was not written");
    const author = await assertLive(trx, userId);
    effects.publish({ kind: "chat", topicId, position: entry.position });
    // Users and inboxes are locked after the chat room.
    const to = await membersNamed(trx, topicId, namesInText(text));
    const mention = { kind: "chat_mention", to, details: { messageId: entry.id } } as const;
    await notify(trx, effects, { topicId, actorId: userId, now }, [mention]);
    return {
      message: {
        id: entry.id,
        topicId,
        userId,
        nickname: author.nickname,
        profileImage: author.profile_image,
        message: text,
        type: "message",
        createdAt: entry.createdAt.toISOString(),
      },
    };
  });
};
