import type { ApiError } from "@/lib/client";
import { followEvents } from "@/lib/client/events";
import { contract } from "@/lib/contract";
import type { ChatMessage } from "@/lib/contract/chat";
import { messageView } from "@/lib/mcp/views";
import { failureOf, type Options, surroundingsOf } from "./session";
import { line, print, say } from "./terminal";

/**
 * Prints the messages of a chat as they come, and again when they change, until the member may not read it any more.
 * @throws Failure
 */
export async function followChat(topicId: string, options: Options): Promise<never> {
  const { appUrl, token } = await surroundingsOf(options);
  const error = await new Promise<ApiError>((resolve) => {
    followEvents(
      contract.chat.subscribe,
      { topicId },
      {
        ...{ baseUrl: appUrl, token: () => token },
        onEvent(event) {
          if (event.name === "reset") say("Messages may be missing here: read-chat has them.");
          if (event.name !== "message" && event.name !== "message_changed") return;
          const isChanged = event.name === "message_changed";
          const message = messageView({ ...event.data, isFolded: false });
          if (options.json) return print({ ...message, ...(isChanged && { changed: true }) }, true);
          const { createdAt, nickname } = event.data;
          line(`${createdAt} ${nickname}${isChanged ? " (changed)" : ""}: ${textOf(event.data)}`);
        },
        onState(state) {
          if (state.kind === "closed") resolve(state.error);
        },
      },
    );
  });
  throw failureOf(error);
}

function textOf({ type, message, isDeleted, isHidden }: ChatMessage): string {
  if (type !== "message") return type === "join" ? "(joined)" : "(left)";
  return isDeleted ? "(deleted)" : isHidden ? "(hidden)" : message;
}
