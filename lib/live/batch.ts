interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (cause: unknown) => void;
}

/** Does for many at once what they ask for one by one: what comes while a round is under way goes in the next. */
export class Batch<Item, Result> {
  readonly #work: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly #most: number;
  #waiting: Waiting<Item, Result>[] = [];
  #running = false;

  /** @param work one result for each item, in their order @param most items of a round */
  constructor(work: (items: readonly Item[]) => Promise<readonly Result[]>, most = 1_000) {
    this.#work = work;
    this.#most = most;
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
      const round = this.#waiting.splice(0, this.#most);
      try {
        const results = await this.#work(round.map(({ item }) => item));
        for (const [index, { resolve, reject }] of round.entries()) {
          const result = results[index];
          if (result === undefined) reject(new Error("a batch left one out"));
          else resolve(result);
        }
      } catch (error) {
        for (const { reject } of round) reject(error);
      }
    }
    this.#running = false;
  }
}
