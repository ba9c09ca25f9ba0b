import { MessagesSquare } from "lucide-react";
import { useWords } from "#words";
import { Panel } from "@/components/shell/panel";
import { ButtonLink } from "@/components/ui/button";
import { Avatar } from "@/components/ui/identicon";
import type { ChatMessage, Presence } from "@/lib/contract";
import { exactCount } from "@/lib/i18n/time";

const FACES = 8;
const LINES = 5;

export interface SideContentProps {
  readonly topicId: string;
  readonly presence: Presence;
  /** Oldest first. */
  readonly entries: readonly ChatMessage[];
  /** Ids of users whose messages are left out. */
  readonly blocked: readonly string[];
}

/** A preview of a topic's chat: who is here, the latest messages, a link to the chat. */
export function SideContent({ topicId, presence, entries, blocked }: SideContentProps) {
  const words = useWords();
  // Without what was deleted, hidden from this reader, or written by a user they blocked.
  const lines = entries
    .filter(({ type, message, userId }) => type === "message" && message !== "" && !blocked.includes(userId))
    .slice(-LINES);
  return (
    <Panel title={`${words.t("chat.here")} · ${exactCount(words, presence.count)}`}>
      {presence.count === 0 ? (
        <p className="text-sm text-soft">{words.t("chat.nobody")}</p>
      ) : (
        <ul className="flex flex-wrap gap-1.5">
          {presence.users.slice(0, FACES).map((user) => (
            <li key={user.userId} title={user.nickname}>
              <Avatar userId={user.userId} image={user.profileImage} size="sm" />
              <span className="sr-only">{user.nickname}</span>
            </li>
          ))}
          {presence.count > FACES ? (
            <li className="self-center text-sm text-soft">
              {words.t("chat.more", { n: presence.count - FACES })}
            </li>
          ) : null}
        </ul>
      )}
      {lines.length > 0 ? (
        <div className="grid gap-2 border-t pt-3">
          <h3 className="sr-only">{words.t("chat.latest")}</h3>
          <ul className="grid gap-2 text-sm">
            {lines.map((line) => (
              <li key={line.id} className="line-clamp-2">
                <span className="font-medium">{line.nickname}</span>{" "}
                <span className="text-soft" dir="auto">
                  {line.message}
                </span>
              </li>
            ))}
          </ul>
        </div>
      ) : null}
      <ButtonLink href={`/topics/${topicId}/chat`} size="sm">
        <MessagesSquare className="size-4" aria-hidden />
        {words.t("chat.open")}
      </ButtonLink>
    </Panel>
  );
}
