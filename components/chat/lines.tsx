"use client";

import { ArrowDown } from "lucide-react";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useWords } from "#words";
import { Spinner } from "@/components/ui/button";
import { useZone } from "@/components/ui/use-zone";
import { Row, Unsent } from "./line";
import { useChat, useRoomState } from "./provider";
import { chatRows } from "./rows";
import { saveSeen } from "./storage";

/** Keeping one's place in a window that grows on both sides. Its content is laid out from the end (column-reverse). */

/** A line of the chat and where it stood, in pixels below the window's upper edge. */
interface Place {
  readonly line: string;
  readonly top: number;
}

const AT_END_PX = 32;

/** Whether the end is in sight; in a reversed window it is where scrollTop is 0. */
function isAtEnd(box: HTMLElement): boolean {
  return Math.abs(box.scrollTop) < AT_END_PX;
}

/** The first line in sight. */
function placeOf(box: HTMLElement): Place | null {
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

/** Puts the line back to where it stood; without one, shows the end. */
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

/** Shows a line in the upper half of the window, unless it is in sight. @returns the place, or null when it was */
function beginAt(box: HTMLElement, line: string): Place | null {
  const found = box.querySelector<HTMLElement>(`[data-line="${CSS.escape(line)}"]`);
  if (!found || topOf(found) >= box.getBoundingClientRect().top) return null;
  const place = { line, top: box.clientHeight / 3 };
  restore(box, place);
  return place;
}

function topOf(element: HTMLElement): number {
  return element.getBoundingClientRect().top;
}

/** Pixels from the top at which what is older is fetched. */
const NEAR_TOP = 600;

/** The messages. What one reads keeps its place, whatever arrives above or below it. */
export function Lines() {
  const { t } = useWords();
  const { room, me, topicId } = useChat();
  const { log, outbox, markId, unseen, loading, loadFailed } = useRoomState();
  const zone = useZone();
  const rows = useMemo(() => chatRows(log.entries, zone, markId), [log.entries, zone, markId]);
  const drawn = useMemo(() => rows.map((row) => <Row key={row.key} row={row} zone={zone} />), [rows, zone]);
  const box = useRef<HTMLDivElement>(null);
  /** What stood at the top of the window, and how far below its edge; null while at the end. */
  const place = useRef<Place | null>(null);
  const [atEnd, setAtEnd] = useState(true);

  /** Notes where the reader is, tells the room, and fetches what they are coming to. */
  const look = () => {
    const element = box.current;
    if (!element) return;
    const end = isAtEnd(element);
    place.current = end && !log.hasNewer ? null : placeOf(element);
    setAtEnd(end && !log.hasNewer);
    const seen = room.attend(end && !log.hasNewer && document.visibilityState === "visible");
    if (seen) saveSeen(topicId, seen);
    if (loadFailed) return;
    if (element.scrollHeight + element.scrollTop - element.clientHeight < NEAR_TOP) void room.loadOlder();
    else if (end) void room.loadNewer();
  };
  const latestLook = useRef(look);
  latestLook.current = look;

  useLayoutEffect(() => {
    // Drawn anew: the line that was being read goes back to where it stood.
    if (box.current) restore(box.current, place.current);
    latestLook.current();
  });
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    // The phone's keyboard takes half of the window: the end stays in sight.
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
    // On coming in one begins to read at what is new, where it does not fit into the window.
    if (firstMark.current !== null || !markId) return;
    firstMark.current = markId;
    if (box.current) place.current = beginAt(box.current, markId);
  }, [markId]);

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
      {/* Reversed, the window stands at its end by itself, before any script has run. */}
      <div
        ref={box}
        role="log"
        aria-label={t("chat.log")}
        // What arrives is read out in batches elsewhere; history that is loaded is not.
        aria-live="off"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        onScroll={() => latestLook.current()}
        className="scroll-keeps-place flex min-h-0 flex-1 flex-col-reverse overflow-y-auto overscroll-contain px-4 focus-visible:-outline-offset-2 md:px-6"
      >
        <div className="pb-4">
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
          {drawn}
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
