/** A slot for one job. */
export interface Slot {
  /** Frees the slot; repeating it has no effect. */
  release(): void;
}

/** Slots for jobs of this process. New work is refused when none is free; work that is owed exceeds the limit. */
export class Slots {
  #taken = 0;

  constructor(readonly limit: number) {}

  /** Slots in use. */
  get load(): number {
    return this.#taken;
  }

  get isFull(): boolean {
    return this.#taken >= this.limit;
  }

  /** Takes a slot, or returns undefined when none is free. */
  reserve(): Slot | undefined {
    return this.isFull ? undefined : this.take();
  }

  /** Takes a slot, beyond the limit if necessary. */
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
