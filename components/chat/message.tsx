"use client";

import { CornerUpLeft, MoreHorizontal } from "lucide-react";
import { type MouseEvent, memo, useCallback, useState } from "react";
import { useWords } from "#words";
import { type Emoji, reactionNames } from "@/components/post/post-state";
import { useUnreadItem } from "@/components/reading/use-unread-item";
import { useReport } from "@/components/report/use-report";
import { RichText } from "@/components/text/rich-text";
import { Badge } from "@/components/ui/badge";
import { cx } from "@/components/ui/cx";
import { nameOf } from "@/components/ui/member-name";
import { Menu, type MenuItem } from "@/components/ui/menu";
import { toast } from "@/components/ui/toast";
import { useLazyComponent } from "@/components/ui/use-lazy-component";
import { useHydrated } from "@/components/ui/use-moment";
import type { ChatMessage } from "@/lib/contract";
import { compact, exactTime } from "@/lib/i18n/time";
import type { Words } from "@/lib/i18n/words";
import { focusLine, openMenu } from "./keys";
import { MessageEdit } from "./message-edit";
import { useChat, useRoomPart } from "./provider";
import type { RoomState } from "./room-state";

const isMuted = ({ muted }: RoomState) => muted !== null;

interface MessageLineProps {
  readonly entry: ChatMessage;
}

/** A message with what its reader may do with it. Another message of the log does not render it again. */
export const MessageLine = memo(function MessageLine({ entry }: MessageLineProps) {
  const words = useWords();
  const { room } = useChat();
  useRoomPart(isMuted);
  const { id } = entry;
  const editing = useRoomPart(
    useCallback((state: RoomState) => (state.editing?.id === id ? state.editing : null), [id]),
  );
  // Menus would double the page that the server sends.
  const isHydrated = useHydrated();
  const isTarget = useRoomPart(useCallback(({ target }: RoomState) => target?.id === id, [id]));
  const abilities = room.abilitiesOf(entry);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a second way to the menu, which is a button
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: it has a role when it has a label
    <div
      data-line={id}
      tabIndex={-1}
      // Who jumped here hears whose message it is.
      role={isTarget ? "group" : undefined}
      aria-label={isTarget ? lineName(words, entry) : undefined}
      // A long press, or the menu key on a message.
      onContextMenu={(event) => {
        if (opensByPress(event) && openMenu(event.currentTarget)) event.preventDefault();
      }}
      className={cx(
        "group/line relative rounded-control py-0.5 pe-10 outline-offset-2 pointer-coarse:min-h-11 pointer-coarse:pe-11",
        isTarget && "jumped",
      )}
    >
      {entry.replyTo ? <Quote of={entry.replyTo} /> : null}
      {editing ? <MessageEdit entry={entry} editing={editing} /> : <Body entry={entry} />}
      <ReactionChips entry={entry} canReact={abilities.includes("react")} />
      {isHydrated && abilities.length > 0 && !editing ? <MessageTools entry={entry} /> : null}
    </div>
  );
});

/** Says whose message it is and what it says. */
function lineName(words: Words, { nickname, message, isDeleted }: ChatMessage): string {
  const name = nameOf(words, nickname);
  if (isDeleted || !message) return words.t(isDeleted ? "chat.deleted" : "chat.hidden");
  return words.t("chat.announced", { name, text: message });
}

/** Returns whether a finger or a key asks for the menu: a mouse gets that of the browser, with "copy" and "inspect". */
function opensByPress({ nativeEvent }: MouseEvent): boolean {
  return nativeEvent instanceof PointerEvent ? nativeEvent.pointerType !== "mouse" : nativeEvent.button !== 2;
}

interface QuoteProps {
  readonly of: NonNullable<ChatMessage["replyTo"]>;
}

/** The message that another one answers, which it leads to. Folded away if its author is blocked, until pressed once. */
export function Quote({ of: { id, userId, nickname, excerpt } }: QuoteProps) {
  const words = useWords();
  const { t } = words;
  const { room, blocked } = useChat();
  const [isShown, setShown] = useState(false);
  const name = nameOf(words, nickname);
  const isFolded = blocked.has(userId) && !isShown;
  const jump = async () => {
    const failure = await room.jumpTo(id);
    if (!failure) return;
    const isGone = failure.code === "message_not_found";
    toast({ text: isGone ? t("chat.quotedGone") : failure.sentence, tone: "wrong" });
  };
  const said = isFolded
    ? t("chat.quoteFolded")
    : excerpt
      ? t("chat.inReplyToText", { name, text: excerpt })
      : t("chat.inReplyTo", { name });
  return (
    <button
      type="button"
      // Arrow keys reach it (keys.ts).
      tabIndex={-1}
      title={isFolded ? t("chat.showQuote") : t("chat.toQuoted", { name })}
      onClick={() => (isFolded ? setShown(true) : void jump())}
      className="tap flex max-w-full items-center gap-1.5 rounded-control text-start text-sm text-soft hover:text-ink hover:underline"
    >
      <CornerUpLeft className="size-3.5 shrink-0" aria-hidden />
      <span dir="auto" className={cx("min-w-0 truncate", isFolded && "italic")}>
        {said}
      </span>
    </button>
  );
}

function Body({ entry }: MessageLineProps) {
  const words = useWords();
  const { t } = words;
  const { isDeleted, deletedBy, isHidden, editedAt, message } = entry;
  if (isDeleted) {
    return (
      <p className="text-soft italic">
        {deletedBy === "admin" ? t("chat.deletedByStaff") : t("chat.deleted")}
      </p>
    );
  }
  if (isHidden && !message) return <p className="text-soft italic">{t("chat.hidden")}</p>;
  return (
    <p
      dir="auto"
      title={exactTime(words, new Date(entry.createdAt))}
      suppressHydrationWarning
      className="leading-relaxed whitespace-pre-wrap"
    >
      <RichText text={message} links />
      {editedAt ? <span className="ms-1.5 text-xs text-soft">({t("post.edited")})</span> : null}
      {isHidden ? (
        <>
          {" "}
          <Badge tone="warning">{t("common.hidden")}</Badge>
        </>
      ) : null}
    </p>
  );
}

/** Gives a reaction, or takes it back; says so when that fails. */
function useReaction(entry: ChatMessage): (emoji: Emoji) => void {
  const { room } = useChat();
  return (emoji) =>
    void room.react(entry, emoji).then((result) => {
      if (!result.ok) toast({ text: result.sentence, tone: "wrong" });
    });
}

interface ReactionChipsProps {
  readonly entry: ChatMessage;
  readonly canReact: boolean;
}

/** The reactions to a message with their counts. */
function ReactionChips({ entry, canReact }: ReactionChipsProps) {
  const words = useWords();
  const { t } = words;
  const press = useReaction(entry);
  if (entry.reactions.length === 0 || entry.isDeleted || (entry.isHidden && !entry.message)) return null;
  const nameOfEmoji = (emoji: Emoji) => {
    const name = reactionNames.find(([one]) => one === emoji)?.[1];
    return name ? t(`reaction.names.${name}`) : emoji;
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out inside a row
    <div role="group" aria-label={t("reaction.list")} className="flex flex-wrap gap-1 py-0.5">
      {entry.reactions.map(({ emoji, count, userReacted = false }) => (
        <button
          key={emoji}
          type="button"
          // Arrow keys reach it (keys.ts): a log has too many for Tab.
          tabIndex={-1}
          disabled={!canReact}
          aria-pressed={userReacted}
          aria-label={t("reaction.chip", { name: nameOfEmoji(emoji), n: count })}
          title={nameOfEmoji(emoji)}
          onClick={() => press(emoji)}
          className={cx(
            "ease tap inline-flex h-7 items-center justify-center gap-1 rounded-full border px-2 text-xs font-medium tabular-nums",
            userReacted ? "border-sea bg-sea-wash text-sea" : "bg-sheet text-soft hover:border-line-strong",
          )}
        >
          <span aria-hidden="true">{emoji}</span>
          {compact(words, count)}
        </button>
      ))}
    </div>
  );
}

/** Abilities with a menu entry, in order. */
const OFFERED = ["reply", "edit", "hide", "delete", "report"] as const;

const loadDialog = () => import("./message-dialog").then(({ MessageDialog }) => MessageDialog);

/** The menu of a message: reactions; reply, copy, edit, hide, delete, report. */
function MessageTools({ entry }: MessageLineProps) {
  const words = useWords();
  const { t } = words;
  const { room, me } = useChat();
  const [dialog, setDialog] = useState<"hide" | "remove" | null>(null);
  const dialogs = useLazyComponent(loadDialog);
  const press = useReaction(entry);
  const { id } = entry;
  const abilities = room.abilitiesOf(entry);
  const open = (what: "hide" | "remove") => dialogs.load(() => setDialog(what));
  const show = async () => {
    const result = await room.show(id);
    toast(result.ok ? { text: t("moderate.shown") } : { text: result.sentence, tone: "wrong" });
  };
  const report = useReport({ kind: "message", topicId: entry.topicId, messageId: id });
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(entry.message);
      toast({ text: t("common.copied") });
    } catch {
      // The browser says no, and may have said so itself.
    }
  };
  const items: Readonly<Record<(typeof OFFERED)[number], MenuItem>> = {
    reply: { label: t("post.reply"), onSelect: () => room.answer(entry) },
    edit: {
      label: t("own.edit"),
      onSelect: () => room.write({ id, text: entry.message, problem: null }),
    },
    hide: entry.isHidden
      ? { label: t("moderate.show"), onSelect: () => void show() }
      : { label: t("common.hide"), onSelect: () => open("hide") },
    delete: { label: t("common.delete"), onSelect: () => open("remove") },
    report: { label: t("report.message"), onSelect: report.open },
  };
  // Authors can delete their own message instead of reporting it.
  const offered = OFFERED.filter(
    (act) => abilities.includes(act) && !(act === "report" && entry.userId === me),
  ).map((act) => items[act]);
  const unread = useUnreadItem({ topicId: entry.topicId, messageId: id });
  const copying: MenuItem = { label: t("chat.copy"), onSelect: () => void copy() };
  const quick = reactionNames.map(
    ([emoji, name]): MenuItem => ({
      label: t(`reaction.names.${name}`),
      icon: <span className="text-xl leading-none">{emoji}</span>,
      isChosen: entry.reactions.some((one) => one.emoji === emoji && one.userReacted),
      onSelect: () => press(emoji),
    }),
  );
  return (
    <div className="ease absolute end-0 -top-2 rounded-control bg-sheet opacity-0 focus-within:opacity-100 group-hover/line:opacity-100 pointer-coarse:top-0 pointer-coarse:bg-transparent pointer-coarse:opacity-100">
      <Menu
        label={t("chat.tools", { name: nameOf(words, entry.nickname) })}
        trigger={<MoreHorizontal className="size-5" aria-hidden />}
        items={offered.toSpliced(abilities.includes("reply") ? 1 : 0, 0, copying, ...unread)}
        quick={abilities.includes("react") ? quick : undefined}
        busy={dialogs.busy || report.busy}
        isInList
      />
      {report.dialog}
      {dialog && dialogs.Component ? (
        <dialogs.Component
          kind={dialog}
          entry={entry}
          onDone={() => {
            setDialog(null);
            focusLine(id);
          }}
          onClose={() => setDialog(null)}
        />
      ) : null}
    </div>
  );
}
