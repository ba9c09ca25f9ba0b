import type { Words } from "@/lib/i18n/words";

/** Pulling the page down to fetch it anew, in the installed app of browsers that have no such gesture of their own. */

/** Pixels: as far as a thumb goes on purpose. */
const FAR_ENOUGH = 88;
/** Pixels within which a finger has not yet said which way it goes. */
const SLACK = 10;
const look =
  "rise pointer-events-none fixed inset-x-0 top-[calc(64px+env(safe-area-inset-top))] z-40 mx-auto w-fit rounded-full border bg-sheet px-4 py-2 text-sm text-soft shadow-float data-[state=ready]:text-ink md:top-4";
const places = [/^\/$/, /^\/topics\/[0-9a-f-]{36}$/];

export interface PullOptions {
  readonly words: () => Words;
  readonly refresh: () => void;
}

/** Only iPhones and iPads say this, and only in an installed app, where Safari's own gesture is missing. */
function isBareApp(): boolean {
  return Reflect.get(navigator, "standalone") === true;
}

/** Follows fingers on the feed and in topics. @returns stop */
export function pullToRefresh({ words, refresh }: PullOptions): () => void {
  if (!isBareApp()) return () => {};
  let start: { readonly x: number; readonly y: number } | null = null;
  let sign: HTMLElement | null = null;
  const put = (state: "pull" | "ready" | null) => {
    if (!state) {
      sign?.remove();
      sign = null;
      return;
    }
    if (!sign) {
      sign = document.createElement("p");
      sign.className = look;
      // Seen only: the page that comes is what a screen reader is told of.
      sign.setAttribute("aria-hidden", "true");
      document.body.append(sign);
    }
    sign.dataset.state = state;
    sign.textContent = words().t(state === "ready" ? "offline.release" : "offline.pull");
  };
  const stop = () => {
    start = null;
    put(null);
  };
  const onStart = ({ touches }: TouchEvent) => {
    const [touch, other] = touches;
    const isHere = places.some((place) => place.test(window.location.pathname));
    if (!touch || other || !isHere || window.scrollY > 0 || document.querySelector("dialog[open]")) return;
    start = { x: touch.clientX, y: touch.clientY };
  };
  const onMove = ({ touches }: TouchEvent) => {
    const [touch, other] = touches;
    if (!start || !touch) return;
    const [down, aside] = [touch.clientY - start.y, Math.abs(touch.clientX - start.x)];
    // Scrolling, swiping and pinching are not pulling.
    if (other || window.scrollY > 0 || down < -SLACK || (aside > SLACK && aside > down)) return stop();
    put(down > FAR_ENOUGH ? "ready" : down > SLACK ? "pull" : null);
  };
  const onEnd = () => {
    const isReady = sign?.dataset.state === "ready";
    stop();
    if (isReady) refresh();
  };
  const passive = { passive: true };
  window.addEventListener("touchstart", onStart, passive);
  window.addEventListener("touchmove", onMove, passive);
  window.addEventListener("touchend", onEnd, passive);
  window.addEventListener("touchcancel", stop, passive);
  return () => {
    stop();
    window.removeEventListener("touchstart", onStart);
    window.removeEventListener("touchmove", onMove);
    window.removeEventListener("touchend", onEnd);
    window.removeEventListener("touchcancel", stop);
  };
}
