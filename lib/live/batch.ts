interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (cause: unknown) => void;
}

const MOST_PER_ROUND = 1_000;

/** Groups single requests into rounds: items added while a round runs go into the next one. */
export class Batch<Item, Result> {
  #waiting: Waiting<Item, Result>[] = [];
  #running = false;
  readonly #work: (items: readonly Item[]) => Promise<readonly Result[]>;

  /** @param work returns one result per item, in their order */
  constructor(work: (items: readonly Item[]) => Promise<readonly Result[]>) {
    this.#work = work;
  }

  /** @throws what the round throws */
  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (this.#running) return;
      this.#running = true;
      setImmediate(() => void this.#run());
    });
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const round = this.#waiting.splice(0, MOST_PER_ROUND);
      try {
        const results = await this.#work(round.map(({ item }) => item));
        for (const [index, { resolve, reject }] of round.entries()) {
          const result = results[index];
          if (result === undefined) reject(new Error("a batch returned no result for an item"));
          else resolve(result);
        }
      } catch (error) {
        for (const { reject } of round) reject(error);
      }
    }
    this.#running = false;
  }
}

/** Groups items by key, in their order. */
export function grouped<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
