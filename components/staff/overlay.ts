/**
 * Changes laid over the rows of a page before the server has answered: shown at once, taken back when it refuses, and
 * forgotten when the page brings newer rows that have them.
 */
export type Overlay<T> = ReadonlyMap<string, Change<T>>;

interface Change<T> {
  /** The row as it will be; null for one that goes. */
  readonly row: T | null;
  /** True until the server has answered. */
  readonly isPending: boolean;
}

/** With a change that the server was asked for just now. */
export function begun<T>(overlay: Overlay<T>, key: string, row: T | null): Overlay<T> {
  return new Map(overlay).set(key, { row, isPending: true });
}

/** With a change that the server took; it stays until newer rows come. */
export function taken<T>(overlay: Overlay<T>, key: string): Overlay<T> {
  const change = overlay.get(key);
  return change ? new Map(overlay).set(key, { ...change, isPending: false }) : overlay;
}

/** Without a change that the server refused. */
export function refused<T>(overlay: Overlay<T>, key: string): Overlay<T> {
  const left = new Map(overlay);
  left.delete(key);
  return left;
}

/** With a row that turned out to be out of date: it leaves until newer rows come. */
export function gone<T>(overlay: Overlay<T>, key: string): Overlay<T> {
  return new Map(overlay).set(key, { row: null, isPending: false });
}

/** What is left of an overlay when newer rows have come: changes the server has not answered. */
export function rebased<T>(overlay: Overlay<T>): Overlay<T> {
  return new Map([...overlay].filter(([, { isPending }]) => isPending));
}

/** The rows as they are shown. */
export function laidOver<T>(
  rows: readonly T[],
  overlay: Overlay<T>,
  keyOf: (row: T) => string,
): readonly T[] {
  return rows.flatMap((row) => {
    const change = overlay.get(keyOf(row));
    if (!change) return [row];
    return change.row === null ? [] : [change.row];
  });
}
