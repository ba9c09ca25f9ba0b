import type { Trx } from "@/db/schema";
import { namesInText } from "../mentions/find";
import { membersNamed } from "../mentions/write";
import type { Effects } from "../write";
import { type Act, notify } from "./notify";

/**
 * Tells members who are named in a chat message. To be called last in the message's transaction, after the chat room's
 * row was taken.
 */
export async function notifyChatMentions(
  trx: Trx,
  effects: Effects,
  { message, ...act }: Act & { readonly message: { readonly id: string; readonly text: string } },
): Promise<void> {
  const to = await membersNamed(trx, act.topicId, namesInText(message.text));
  await notify(trx, effects, act, [{ kind: "chat_mention", to, details: { messageId: message.id } }]);
}
