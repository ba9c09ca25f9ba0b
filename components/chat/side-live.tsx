"use client";

import { ChatProvider, useChat, useRoomState } from "./provider";
import type { ChatStart } from "./room-state";
import { SideContent } from "./side-content";

/** A preview gives up its stream soon after the page is hidden. */
const HIDDEN_MS = 15_000;

/** The preview of a chat with live updates. */
export function SideLive({ start }: { readonly start: ChatStart }) {
  return (
    <ChatProvider start={start} hiddenMs={HIDDEN_MS}>
      <LiveContent blocked={start.blocked} />
    </ChatProvider>
  );
}

function LiveContent({ blocked }: Pick<ChatStart, "blocked">) {
  const { topicId } = useChat();
  const { presence, log, stream } = useRoomState();
  if (stream === "closed") return null;
  return <SideContent topicId={topicId} presence={presence} entries={log.entries} blocked={blocked} />;
}
