/** Expected proving time by circuit: a moving average of measured runs. Milliseconds. */
export class RunTimes {
  readonly #averages = new Map<string, number>();

  constructor(readonly firstGuessMs = 10_000) {}

  expected(circuit: string): number {
    return Math.round(this.#averages.get(circuit) ?? this.firstGuessMs);
  }

  record(circuit: string, durationMs: number): void {
    const before = this.#averages.get(circuit);
    // A quarter of the newest run follows a change of load within a few runs, and smooths outliers.
    this.#averages.set(circuit, before === undefined ? durationMs : before * 0.75 + durationMs * 0.25);
  }
}
