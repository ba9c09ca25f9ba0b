/** Works that run at once: waiting for a bucket or a node, not for the processor. */
const MOST = 8;

/** Does a piece of work for each item, some at once. @returns the results in order */
export async function* ahead<Item, Result>(
  items: Iterable<Item> | AsyncIterable<Item>,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const running: Promise<Result>[] = [];
  for await (const item of items) {
    const started = work(item);
    // Reported when its turn comes.
    started.catch(() => undefined);
    running.push(started);
    const [first] = running;
    if (first && running.length === MOST) {
      running.shift();
      yield await first;
    }
  }
  for (const each of running) yield await each;
}
