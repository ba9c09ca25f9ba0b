"use client";

import { UsersRound } from "lucide-react";
import { useState } from "react";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { cx } from "@/components/ui/cx";
import { Dialog } from "@/components/ui/dialog";
import { PresenceList } from "./presence";
import { useRoomPart } from "./provider";
import type { RoomState } from "./room";

const partOf = {
  stream: ({ stream }: RoomState) => stream,
  presence: ({ presence }: RoomState) => presence,
};

/** How the connection stands, in words, and who is here. */
export function ChatStatus() {
  const words = useWords();
  const stream = useRoomPart(partOf.stream);
  const presence = useRoomPart(partOf.presence);
  const [open, setOpen] = useState(false);
  return (
    <div className="flex min-h-11 items-center justify-between gap-3 border-b px-4 md:px-6">
      <p role="status" className="flex items-center gap-2 text-sm text-soft">
        <span
          aria-hidden="true"
          className={cx("size-2 shrink-0 rounded-full", stream === "live" ? "bg-moss" : "bg-amber")}
        />
        {stream === "closed" ? null : words.t(`chat.states.${stream}`)}
      </p>
      <Button size="sm" tone="quiet" onClick={() => setOpen(true)} className="wide:hidden">
        <UsersRound className="size-4" aria-hidden />
        {words.t("chat.hereCount", { n: presence.count })}
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title={words.t("chat.here")}>
        <PresenceList presence={presence} />
      </Dialog>
    </div>
  );
}
