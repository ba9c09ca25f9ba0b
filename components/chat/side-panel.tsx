"use client";

import { type ComponentType, useEffect, useState } from "react";
import type { ChatStart } from "./provider";
import { SideContent } from "./side-content";

/** As --breakpoint-wide: below it the right column is not there. */
const WIDE = "(min-width: 70rem)";

/** The chat in the right column of its topic: as the server saw it, and live where there is such a column. */
export function ChatSidePanel({ start }: { readonly start: ChatStart }) {
  const [Live, setLive] = useState<ComponentType<{ start: ChatStart }> | null>(null);
  useEffect(() => {
    if (!window.matchMedia(WIDE).matches) return;
    let gone = false;
    import("./side-live").then(
      ({ SideLive }) => {
        if (!gone) setLive(() => SideLive);
      },
      // Without the script the panel stays as it was when the page was made.
      () => undefined,
    );
    return () => {
      gone = true;
    };
  }, []);
  if (Live) return <Live start={start} />;
  return (
    <SideContent topicId={start.topicId} presence={start.presence} entries={start.latest.toReversed()} />
  );
}
