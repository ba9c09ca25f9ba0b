/** How often this tab went back from the offline page lately, kept over the navigations that takes. */

const KEY = "parley.returns";
/** A page that held this long was there. Milliseconds. */
const LATELY = 120_000;

/** Returns from the offline page in a row: each one that led here again makes the next wait longer. */
export function returnsLately(): number {
  try {
    const [count, at] = (sessionStorage.getItem(KEY) ?? "").split("@").map(Number);
    return count && at && Date.now() - at < LATELY ? count : 0;
  } catch {
    return 0;
  }
}

/** This tab goes back now. */
export function returned(): void {
  try {
    sessionStorage.setItem(KEY, `${returnsLately() + 1}@${Date.now()}`);
  } catch {
    // Where it cannot be remembered, each return waits as long as the first.
  }
}
