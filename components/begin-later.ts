/** Time after which a page counts as loaded; not every browser has `requestIdleCallback`. */
const DELAY_MS = 1500;

/**
 * Loads a script once the page has loaded, and starts what it does. Without the script, only that is missing.
 * @param load returns what starts it, which returns what stops it
 * @returns stops it, or keeps it from starting
 */
export function beginLater(load: () => Promise<() => () => void>): () => void {
  let stop: (() => void) | undefined;
  let gone = false;
  const begin = (start: () => () => void) => {
    if (!gone) stop = start();
  };
  const timer = setTimeout(() => void load().then(begin, () => {}), DELAY_MS);
  return () => {
    gone = true;
    clearTimeout(timer);
    stop?.();
  };
}
