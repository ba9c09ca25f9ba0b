"use client";

import { ArrowDown } from "lucide-react";
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useWords } from "#words";
import { markChatSoon } from "@/components/reading/mark";
import { Spinner } from "@/components/ui/button";
import { useZone } from "@/components/ui/use-moment";
import { moveFocus } from "./keys";
import { Row, Unsent } from "./line";
import { useChat, useRoomState } from "./provider";
import { chatRows, keepKeys } from "./rows";
import { saveSeen } from "./storage";

/** A line of the chat and its distance from the top of the window in pixels, to restore the scroll position. */
interface Place {
  readonly line: string;
  readonly top: number;
}

const AT_END_PX = 32;

/** Returns whether the end is visible. The window is a reversed column, so its end is where scrollTop is 0. */
function isAtEnd(box: HTMLElement): boolean {
  return Math.abs(box.scrollTop) < AT_END_PX;
}

function firstVisible(box: HTMLElement): Place | null {
  const edge = box.getBoundingClientRect().top;
  const lines = box.querySelectorAll<HTMLElement>("[data-line]");
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const isAbove = (lines[middle]?.getBoundingClientRect().bottom ?? 0) <= edge;
    if (isAbove) low = middle + 1;
    else high = middle;
  }
  const found = lines[low];
  return found?.dataset.line ? { line: found.dataset.line, top: topOf(found) - edge } : null;
}

/** Scrolls the line back to its place; without one, scrolls to the end. */
function restore(box: HTMLElement, place: Place | null): void {
  if (!place) {
    box.scrollTop = 0;
    return;
  }
  const line = box.querySelector<HTMLElement>(`[data-line="${CSS.escape(place.line)}"]`);
  if (!line) return;
  const moved = topOf(line) - box.getBoundingClientRect().top - place.top;
  if (Math.abs(moved) >= 1) box.scrollTop += moved;
}

/** Scrolls a line into the upper half of the window. @returns its place, or null when it was visible already */
function scrollToLine(box: HTMLElement, line: string): Place | null {
  const found = box.querySelector<HTMLElement>(`[data-line="${CSS.escape(line)}"]`);
  if (!found || topOf(found) >= box.getBoundingClientRect().top) return null;
  const place = { line, top: box.clientHeight / 3 };
  restore(box, place);
  return place;
}

function topOf(element: HTMLElement): number {
  return element.getBoundingClientRect().top;
}

function hasOwnKeys(target: EventTarget): boolean {
  return target instanceof Element && target.closest('[role="menu"], dialog, textarea, input') !== null;
}

/** Distance from the top at which older messages load. */
const NEAR_TOP_PX = 600;

/** How long a message that the reader jumped to is marked. */
const MARKED_MS = 2_500;

/** The messages. What the reader sees keeps its place, whatever loads above or arrives below. */
export function Lines() {
  const { t } = useWords();
  const { room, me, topicId } = useChat();
  const { log, outbox, markId, unseen, loading, loadFailed, target } = useRoomState();
  const zone = useZone();
  const [keys] = useState(() => new Map<string, string>());
  const rows = useMemo(
    () => keepKeys(chatRows(log.entries, zone, markId), keys),
    [log.entries, zone, markId, keys],
  );
  const rendered = useMemo(
    () => rows.map((row) => <Row key={row.key} row={row} zone={zone} />),
    [rows, zone],
  );
  const keysId = useId();
  const box = useRef<HTMLDivElement>(null);
  /** The first visible line; null while the reader is at the end. */
  const place = useRef<Place | null>(null);
  /** Where the window was scrolled to when its place was recorded or restored. */
  const scrolledTo = useRef(0);
  const [atEnd, setAtEnd] = useState(true);
  /** The entry up to which the server knows that it was read. */
  const marked = useRef<string | null>(null);

  /** Records where the reader is, reports it to the room, and loads what they scroll to. */
  const look = () => {
    const element = box.current;
    if (!element) return;
    const end = isAtEnd(element);
    place.current = end && !log.hasNewer ? null : firstVisible(element);
    scrolledTo.current = element.scrollTop;
    setAtEnd(end && !log.hasNewer);
    const seen = room.attend(end && !log.hasNewer && document.visibilityState === "visible");
    const last = log.entries.at(-1);
    if (seen) saveSeen(topicId, seen);
    if (seen && last && last.id !== marked.current) {
      marked.current = last.id;
      markChatSoon(topicId, last.id);
    }
    if (loadFailed) return;
    if (element.scrollHeight + element.scrollTop - element.clientHeight < NEAR_TOP_PX) void room.loadOlder();
    else if (end) void room.loadNewer();
  };
  const latestLook = useRef(look);
  latestLook.current = look;

  useLayoutEffect(() => {
    const element = box.current;
    // After each render, the line that the reader sees returns to its place, unless they have scrolled since.
    if (element && element.scrollTop === scrolledTo.current) restore(element, place.current);
    latestLook.current();
  });
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    // A phone's keyboard resizes the window: the end stays visible.
    const sizes = new ResizeObserver(() => restore(element, place.current));
    sizes.observe(element);
    const seen = () => latestLook.current();
    document.addEventListener("visibilitychange", seen);
    return () => {
      sizes.disconnect();
      document.removeEventListener("visibilitychange", seen);
      room.attend(false);
    };
  }, [room]);

  const firstMark = useRef<string | null>(null);
  useLayoutEffect(() => {
    // A visit starts at the first new message when the new ones do not fit into the window.
    if (firstMark.current !== null || !markId) return;
    firstMark.current = markId;
    if (box.current) place.current = scrollToLine(box.current, markId);
  }, [markId]);

  useLayoutEffect(() => {
    // The message that the reader jumped to is in view, has the focus, and is marked for a moment.
    const element = box.current;
    if (!target || !element) return;
    const line = element.querySelector<HTMLElement>(`[data-line="${CSS.escape(target.id)}"]`);
    if (!line) return;
    place.current = { line: target.id, top: element.clientHeight / 3 };
    restore(element, place.current);
    line.focus({ preventScroll: true });
    const timer = setTimeout(() => room.unmark(), MARKED_MS);
    return () => clearTimeout(timer);
  }, [target, room]);

  const toLatest = async () => {
    place.current = null;
    await room.toLatest();
    place.current = null;
    if (box.current) restore(box.current, null);
    box.current?.focus({ preventScroll: true });
  };
  const isEmpty = log.entries.length === 0 && outbox.length === 0;
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      {/* A reversed column starts at its end before any script has run. */}
      <div
        ref={box}
        role="log"
        aria-label={t("chat.log")}
        // The Announcer reads new messages in batches, and never the history.
        aria-live="off"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
        tabIndex={0}
        aria-describedby={keysId}
        onScroll={() => latestLook.current()}
        onKeyDown={(event) => {
          // Menus and fields have their own keys.
          if (event.defaultPrevented || !box.current || hasOwnKeys(event.target)) return;
          if (moveFocus(box.current, event.key)) event.preventDefault();
        }}
        className="scroll-keeps-place flex min-h-0 flex-1 flex-col-reverse overflow-y-auto overscroll-contain px-4 focus-visible:-outline-offset-2 md:px-6"
      >
        <div className="pb-4">
          <p id={keysId} className="sr-only">
            {t("chat.keys")}
          </p>
          <div className="flex h-10 items-center justify-center gap-2 text-xs text-soft">
            {loading === "older" ? (
              <>
                <Spinner className="size-3.5" />
                {t("chat.loadingOlder")}
              </>
            ) : loadFailed ? (
              <button
                type="button"
                className="link tap"
                onClick={() => void (atEnd ? room.loadNewer() : room.loadOlder())}
              >
                {t("chat.loadFailed")} {t("common.retry")}
              </button>
            ) : log.hasOlder || isEmpty ? null : (
              t("chat.beginning")
            )}
          </div>
          {isEmpty ? <Empty /> : null}
          {rendered}
          {outbox
            .filter((one) => !one.hasArrived)
            .map((one) => (
              <Unsent
                key={one.key}
                one={one}
                me={me}
                onRetry={() => room.retry(one.key)}
                onDiscard={() => room.discard(one.key)}
              />
            ))}
        </div>
      </div>
      {atEnd ? null : (
        <button
          type="button"
          onClick={() => void toLatest()}
          aria-label={unseen > 0 ? undefined : t("chat.toLatest")}
          className="rise tap absolute end-4 bottom-3 inline-flex h-9 items-center gap-2 rounded-full border bg-sheet px-3 text-sm font-medium shadow-float hover:bg-wash md:end-6"
        >
          {unseen > 0 ? t("chat.newBelow", { n: unseen }) : null}
          <ArrowDown className="size-4" aria-hidden />
        </button>
      )}
    </div>
  );
}

function Empty() {
  const { t } = useWords();
  return (
    <div className="grid justify-items-center gap-2 px-6 py-10 text-center">
      <h2 className="font-serif text-xl font-semibold">{t("chat.emptyTitle")}</h2>
      <p className="max-w-[46ch] text-soft">{t("chat.empty")}</p>
    </div>
  );
}
