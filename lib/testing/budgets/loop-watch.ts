/**
 * Measures the longest time for which the event loop does not come round: by the clock, but never more than the CPU time
 * that passed meanwhile, so that a machine that is busy with other things makes nothing look slow.
 */
export class LoopWatch {
  #running = false;
  #longest = 0;
  #at = 0;
  #cpu = 0;

  start(): void {
    this.#running = true;
    this.#longest = 0;
    this.#mark();
    const tick = () => {
      if (!this.#running) return;
      this.#measure();
      setImmediate(tick);
    };
    setImmediate(tick);
  }

  /** @returns milliseconds */
  stop(): number {
    this.#measure();
    this.#running = false;
    return this.#longest;
  }

  #mark(): void {
    const { user, system } = process.cpuUsage();
    this.#cpu = (user + system) / 1000;
    this.#at = performance.now();
  }

  #measure(): void {
    const [at, cpu] = [this.#at, this.#cpu];
    this.#mark();
    this.#longest = Math.max(this.#longest, Math.min(this.#at - at, this.#cpu - cpu));
  }
}
