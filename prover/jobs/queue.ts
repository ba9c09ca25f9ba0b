import PQueue from "p-queue";

/** A place for one job, from its admission to its end. */
export interface Slot {
  /** Gives the place back; repeating it has no effect. */
  release(): void;
}

interface Waiting {
  moved(position: number): void;
}

/**
 * Proofs run one at a time (bb uses all cores for each) and wait in order. Places are limited and are taken
 * without waiting, so that nobody is charged for work that has no place.
 */
export class ProofQueue {
  readonly #queue = new PQueue({ concurrency: 1 });
  readonly #waiting: Waiting[] = [];
  #taken = 0;

  constructor(readonly limit: number) {}

  /** Jobs that hold a place. */
  get load(): number {
    return this.#taken;
  }

  /** A place, or undefined when there is none. */
  reserve(): Slot | undefined {
    if (this.#taken >= this.limit) return undefined;
    this.#taken += 1;
    let held = true;
    return {
      release: () => {
        if (held) this.#taken -= 1;
        held = false;
      },
    };
  }

  /**
   * Runs work when its turn comes.
   * @param moved told the number of jobs ahead, at once and whenever it changes
   */
  async run<T>(work: () => Promise<T>, moved: (position: number) => void): Promise<T> {
    const entry: Waiting = { moved };
    this.#waiting.push(entry);
    moved(this.#waiting.length - 1);
    return await this.#queue.add(
      async () => {
        this.#waiting.splice(this.#waiting.indexOf(entry), 1);
        this.#waiting.forEach((each, position) => {
          each.moved(position);
        });
        return await work();
      },
      { throwOnTimeout: true },
    );
  }

  /** Resolves when nothing waits or runs. */
  async idle(): Promise<void> {
    await this.#queue.onIdle();
  }
}

/** Expected proving time by circuit: a moving average of measured runs. */
export class RunTimes {
  readonly #averages = new Map<string, number>();

  constructor(readonly firstGuessMs = 10_000) {}

  expected(circuit: string): number {
    return Math.round(this.#averages.get(circuit) ?? this.firstGuessMs);
  }

  record(circuit: string, durationMs: number): void {
    const before = this.#averages.get(circuit);
    // A quarter of the newest run: follows a change of load within a few runs, and forgives one outlier.
    this.#averages.set(circuit, before === undefined ? durationMs : before * 0.75 + durationMs * 0.25);
  }
}
