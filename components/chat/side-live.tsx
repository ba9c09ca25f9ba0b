"use client";

import { ChatProvider, useRoomState } from "./provider";
import type { ChatStart } from "./room-state";
import { SideContent } from "./side-content";

/** A preview gives up its stream soon after the page is hidden. */
const HIDDEN_MS = 15_000;

/** The preview of a chat with live updates. */
export function SideLive({ start }: { readonly start: ChatStart }) {
  return (
    <ChatProvider start={start} hiddenMs={HIDDEN_MS}>
      <LiveContent topicId={start.topicId} />
    </ChatProvider>
  );
}

function LiveContent({ topicId }: { readonly topicId: string }) {
  const { presence, log, stream } = useRoomState();
  if (stream === "closed") return null;
  return <SideContent topicId={topicId} presence={presence} entries={log.entries} />;
}
