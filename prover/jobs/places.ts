/** A place for one job. */
export interface Slot {
  /** Gives the place back; repeating it has no effect. */
  release(): void;
}

/**
 * Places for jobs of this process. Who asks for one may be turned away; who is owed one gets it in any case, so there
 * may be more taken than there are.
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
    return this.isFull ? undefined : this.take();
  }

  /** A place beyond the limit if need be. */
  take(): Slot {
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
