"use client";

import { ChatProvider, type ChatStart, useRoomState } from "./provider";
import { SideContent } from "./side-content";

/** A glance is not worth a connection that nobody looks at. */
const HIDDEN_MS = 15_000;

/** The panel of the right column, following the chat. */
export function SideLive({ start }: { readonly start: ChatStart }) {
  return (
    <ChatProvider start={start} hiddenMs={HIDDEN_MS}>
      <Followed topicId={start.topicId} />
    </ChatProvider>
  );
}

function Followed({ topicId }: { readonly topicId: string }) {
  const { presence, log, stream } = useRoomState();
  if (stream === "closed") return null;
  return <SideContent topicId={topicId} presence={presence} entries={log.entries} />;
}
