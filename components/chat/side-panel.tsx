"use client";

import { type ComponentType, useEffect, useState } from "react";
import type { ChatStart } from "./room-state";
import { SideContent } from "./side-content";

/** Same as --breakpoint-wide: narrower windows have no right column. */
const WIDE = "(min-width: 70rem)";

/** The preview of a chat in the right column, live where the window is wide enough to show it. */
export function ChatSidePanel({ start }: { readonly start: ChatStart }) {
  const [Live, setLive] = useState<ComponentType<{ start: ChatStart }> | null>(null);
  useEffect(() => {
    if (!window.matchMedia(WIDE).matches) return;
    let gone = false;
    import("./side-live").then(
      ({ SideLive }) => {
        if (!gone) setLive(() => SideLive);
      },
      // Without the script the panel shows what the server rendered.
      () => undefined,
    );
    return () => {
      gone = true;
    };
  }, []);
  if (Live) return <Live start={start} />;
  return (
    <SideContent
      topicId={start.topicId}
      presence={start.presence}
      entries={start.latest.toReversed()}
      blocked={start.blocked}
    />
  );
}
