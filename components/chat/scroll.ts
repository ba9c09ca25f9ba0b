/** Keeping one's place in a window that grows on both sides. Its content is laid out from the end (column-reverse). */

/** A line of the chat and where it stood, in pixels below the window's upper edge. */
export interface Place {
  readonly line: string;
  readonly top: number;
}

const AT_END_PX = 32;

/** Whether the end is in sight; in a reversed window it is where scrollTop is 0. */
export function isAtEnd(box: HTMLElement): boolean {
  return Math.abs(box.scrollTop) < AT_END_PX;
}

/** The first line in sight. */
export function placeOf(box: HTMLElement): Place | null {
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
export function restore(box: HTMLElement, place: Place | null): void {
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
export function beginAt(box: HTMLElement, line: string): Place | null {
  const found = box.querySelector<HTMLElement>(`[data-line="${CSS.escape(line)}"]`);
  if (!found || topOf(found) >= box.getBoundingClientRect().top) return null;
  const place = { line, top: box.clientHeight / 3 };
  restore(box, place);
  return place;
}

function topOf(element: HTMLElement): number {
  return element.getBoundingClientRect().top;
}
