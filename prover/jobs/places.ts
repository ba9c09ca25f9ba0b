/** A place for one job, from its admission to its end. */
export interface Slot {
  /** Gives the place back; repeating it has no effect. */
  release(): void;
}

/**
 * Places for the jobs of this process, running and waiting. They are limited and are taken without waiting, so that
 * nobody is charged for work that has no place.
 */
export class Places {
  #taken = 0;

  constructor(readonly limit: number) {}

  /** Jobs that hold a place. */
  get load(): number {
    return this.#taken;
  }

  get isFull(): boolean {
    return this.#taken >= this.limit;
  }

  /** A place, or undefined when there is none. */
  reserve(): Slot | undefined {
    if (this.isFull) return undefined;
    this.#taken += 1;
    let held = true;
    return {
      release: () => {
        if (held) this.#taken -= 1;
        held = false;
      },
    };
  }
}
