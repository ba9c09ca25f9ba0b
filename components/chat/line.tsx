"use client";

import { RotateCw, X } from "lucide-react";
import { useCallback, useState } from "react";
import { useWords } from "#words";
import { Foldable } from "@/components/block/folded";
import { ShownDomains } from "@/components/proof/shown-domains";
import { RichText } from "@/components/text/rich-text";
import { Automated } from "@/components/ui/automated";
import { Spinner } from "@/components/ui/button";
import { cx } from "@/components/ui/cx";
import { Avatar } from "@/components/ui/identicon";
import { MemberLink, nameOf } from "@/components/ui/member-name";
import type { ChatMessage } from "@/lib/contract";
import { clockTime, longDay } from "@/lib/i18n/time";
import type { Outgoing } from "./log";
import { MessageLine, Quote } from "./message";
import { useChat, useRoomPart } from "./provider";
import type { RoomState } from "./room-state";
import { type ChatRow, dayFormat, joinsAndLeaves, type MessageGroup } from "./rows";

/** One row of a chat. */
export function Row({ row, zone }: { readonly row: ChatRow; readonly zone: string }) {
  const words = useWords();
  switch (row.kind) {
    case "day":
      return <DayMark at={row.at} zone={zone} />;
    case "new":
      return (
        <div className="my-3 flex items-center gap-3 text-xs font-medium text-sea">
          <span aria-hidden="true" className="h-px flex-1 bg-sea/40" />
          <span>{words.t("chat.newSince", { time: clockTime(words, new Date(row.at), zone) })}</span>
          <span aria-hidden="true" className="h-px flex-1 bg-sea/40" />
        </div>
      );
    case "joins":
      return <Joins entries={row.entries} />;
    case "messages":
      return <Messages entries={row.entries} zone={zone} />;
  }
}

function DayMark({ at, zone }: { readonly at: string; readonly zone: string }) {
  const words = useWords();
  const moment = new Date(at);
  const dayOf = dayFormat(zone);
  const now = Date.now();
  const name =
    dayOf(moment) === dayOf(new Date(now))
      ? words.t("chat.today")
      : dayOf(moment) === dayOf(new Date(now - 86_400_000))
        ? words.t("chat.yesterday")
        : longDay(words, moment, zone);
  return (
    <h2 className="my-4 text-center text-xs font-medium text-soft" suppressHydrationWarning>
      {name}
    </h2>
  );
}

function Joins({ entries }: { readonly entries: readonly ChatMessage[] }) {
  const { t } = useWords();
  const { blocked } = useChat();
  const { joined, left } = joinsAndLeaves(entries.filter(({ userId }) => !blocked.has(userId)));
  if (joined.length + left.length === 0) return null;
  const words = [
    joined.length > 0 ? t("chat.cameIn", { names: joined[0] ?? "", n: joined.length }) : null,
    left.length > 0 ? t("chat.wentOut", { names: left[0] ?? "", n: left.length }) : null,
  ]
    .filter((part) => part !== null)
    .join(", ");
  const line = "my-1 text-center text-xs text-soft";
  if (joined.length <= 1 && left.length <= 1) return <p className={line}>{words}</p>;
  return (
    <details className={line}>
      <summary className="inline-block rounded-control px-2 py-1 hover:bg-wash">{words}</summary>
      {joined.length > 0 ? <p>{t("chat.cameList", { names: joined.join(", ") })}</p> : null}
      {left.length > 0 ? <p>{t("chat.leftList", { names: left.join(", ") })}</p> : null}
    </details>
  );
}

interface MessagesProps {
  readonly entries: MessageGroup;
  readonly zone: string;
}

function Messages(props: MessagesProps) {
  const { t } = useWords();
  const { blocked } = useChat();
  const { userId } = props.entries[0];
  const { entries } = props;
  // Who jumps to a message wants to see it.
  const isAsked = useRoomPart(
    useCallback(({ target }: RoomState) => entries.some(({ id }) => id === target?.id), [entries]),
  );
  const [wasAsked, setWasAsked] = useState(false);
  if (isAsked && !wasAsked) setWasAsked(true);
  if (!blocked.has(userId) || isAsked || wasAsked) return <Said {...props} />;
  return (
    <Foldable authorId={userId} isFolded label={t("chat.folded", { n: props.entries.length })}>
      <Said {...props} />
    </Foldable>
  );
}

function Said({ entries, zone }: MessagesProps) {
  const words = useWords();
  const [first] = entries;
  return (
    <article
      aria-label={words.t("chat.saidBy", { name: nameOf(words, first.nickname) })}
      className="mt-3 flex gap-3"
    >
      <Avatar userId={first.userId} image={first.profileImage} size="md" />
      <div className="min-w-0 flex-1">
        <p className="flex items-baseline gap-2 text-sm">
          {/* Who presses a name here wants to know who that is, and to stay. */}
          <span data-person={first.nickname} data-topic={first.topicId} className="contents">
            <MemberLink of={first.nickname} className="truncate font-semibold" />
          </span>
          <ShownDomains of={first.authorDomains} by={{ nickname: first.nickname, topicId: first.topicId }} />
          {first.automated ? <Automated /> : null}
          <time dateTime={first.createdAt} className="shrink-0 text-xs text-soft">
            {clockTime(words, new Date(first.createdAt), zone)}
          </time>
        </p>
        {entries.map((entry) => (
          <MessageLine key={entry.id} entry={entry} />
        ))}
      </div>
    </article>
  );
}

export interface UnsentProps {
  readonly one: Outgoing;
  readonly me: string;
  readonly onRetry: () => void;
  readonly onDiscard: () => void;
}

/** A message of the reader that the server has not confirmed. */
export function Unsent({ one, me, onRetry, onDiscard }: UnsentProps) {
  const { t } = useWords();
  const hasFailed = one.state === "failed";
  return (
    <article aria-label={hasFailed ? t("chat.failed") : t("common.sending")} className="mt-3 flex gap-3">
      <Avatar userId={me} size="md" />
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-1.5 text-xs text-soft">
          {hasFailed ? null : <Spinner className="size-3" />}
          <span className={hasFailed ? "font-medium text-seal" : ""}>
            {hasFailed ? t("chat.failed") : t("common.sending")}
          </span>
        </p>
        {one.replyTo ? <Quote of={{ ...one.replyTo, excerpt: one.replyTo.message }} /> : null}
        <p dir="auto" className={cx("py-0.5 leading-relaxed whitespace-pre-wrap", !hasFailed && "text-soft")}>
          <RichText text={one.text} links />
        </p>
        {hasFailed ? (
          <div className="flex flex-wrap items-center gap-x-3 text-sm">
            <span role="alert" className="text-soft">
              {one.error}
            </span>
            <SmallButton onClick={onRetry}>
              <RotateCw className="size-3.5" aria-hidden />
              {t("common.sendAgain")}
            </SmallButton>
            <SmallButton onClick={onDiscard}>
              <X className="size-3.5" aria-hidden />
              {t("outbox.discard")}
            </SmallButton>
          </div>
        ) : null}
      </div>
    </article>
  );
}

function SmallButton(props: { readonly onClick: () => void; readonly children: React.ReactNode }) {
  return (
    <button
      type="button"
      onClick={props.onClick}
      className="tap inline-flex h-8 items-center gap-1.5 rounded-control text-sm font-medium text-sea hover:underline"
    >
      {props.children}
    </button>
  );
}
