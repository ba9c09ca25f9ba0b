"use client";

import { useWords } from "#words";
import { Panel } from "@/components/shell/panel";
import { Avatar } from "@/components/ui/identicon";
import type { Presence } from "@/lib/contract";
import { exactCount } from "@/lib/i18n/time";
import { useChat, useRoomPart } from "./provider";
import type { RoomState } from "./room-state";

export const presenceOf = ({ presence }: RoomState) => presence;

/** Who is connected, for the right column of the chat. */
export function PresencePanel() {
  const words = useWords();
  const presence = useRoomPart(presenceOf);
  return (
    <Panel title={`${words.t("chat.here")} · ${exactCount(words, presence.count)}`}>
      <PresenceList presence={presence} />
    </Panel>
  );
}

/** The names of connected members, and how many more there are. */
export function PresenceList({ presence }: { readonly presence: Presence }) {
  const words = useWords();
  const { me } = useChat();
  if (presence.count === 0) return <p className="text-sm text-soft">{words.t("chat.nobody")}</p>;
  const more = presence.count - presence.users.length;
  return (
    <>
      <ul className="grid max-h-[50dvh] gap-2 overflow-y-auto">
        {presence.users.map((user) => (
          <li key={user.userId} className="flex items-center gap-2 text-sm">
            <Avatar userId={user.userId} image={user.profileImage} size="xs" />
            <span className="truncate">{user.nickname}</span>
            {user.userId === me ? <span className="text-soft">({words.t("chat.you")})</span> : null}
          </li>
        ))}
      </ul>
      {more > 0 ? <p className="text-sm text-soft">{words.t("chat.more", { n: more })}</p> : null}
    </>
  );
}
