import type { Trx } from "@/db/schema";
import type { MemberContext } from "@/lib/context";
import type { contract, HandlerInput, ResponseBody } from "@/lib/contract";
import { Refusal } from "@/lib/errors";
import { topicAccess } from "@/lib/policy/topic";
import { notifyChatMentions } from "../notifications/chat";
import { loadTopic } from "../topics/load";
import { holdTopic } from "../topics/membership";
import { assertMayWrite } from "../topics/membership-rules";
import { viewerOf } from "../viewer";
import { write } from "../write";
import { addEntries } from "./entries";

type Input = HandlerInput<typeof contract.chat.send>;

/**
 * POST /api/topics/{topicId}/chat: plain text, kept as written; whoever shows it treats it as text.
 * @throws Refusal topic_not_found, not_a_member, muted
 */
export async function sendMessage(
  ctx: MemberContext,
  { topicId, message: text }: Input,
): Promise<ResponseBody<typeof contract.chat.send>> {
  const { caller } = ctx;
  const { userId } = caller;
  const now = ctx.now();
  return await write(ctx, async (trx, effects) => {
    await holdTopic(trx, topicId);
    const topic = await loadTopic(trx, topicId, userId);
    await assertMayWrite(trx, topicAccess(topic, viewerOf(caller, topic)).write, { topicId, userId });
    const [entry] = await addEntries(trx, topicId, [{ userId, type: "message", text }], now);
    if (!entry) throw new Error("the message was not written");
    const author = await liveAuthor(trx, userId);
    effects.publish({ kind: "chat", topicId, position: entry.position });
    const said = { topicId, actorId: userId, now, message: { id: entry.id, text } };
    await notifyChatMentions(trx, effects, said);
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
}

/**
 * What is shown of the author. Read after the row that refers to them was written: that waited for a withdrawal under
 * way, and this statement sees it.
 * @throws Refusal not_authenticated
 */
async function liveAuthor(trx: Trx, userId: string) {
  const author = await trx
    .selectFrom("users")
    .select(["nickname", "profile_image"])
    .where("id", "=", userId)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  if (!author) throw new Refusal("not_authenticated");
  return author;
}
