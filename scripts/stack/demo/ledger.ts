import { readFile, writeFile } from "node:fs/promises";
import { z } from "zod";

const ledgerSchema = z.object({
  finished: z.boolean(),
  /** Step key to what it produced. */
  done: z.record(z.string(), z.string()),
});

/** What of the demo has been made already, so that an interrupted first start continues where it stopped. */
export class DemoLedger {
  private constructor(
    private readonly file: string,
    private readonly state: z.infer<typeof ledgerSchema>,
  ) {}

  /** @throws Error when the file exists and is not a ledger: filling twice would double every post */
  static async open(file: string): Promise<DemoLedger> {
    const text = await readFile(file, "utf8").catch(() => null);
    if (text === null) return new DemoLedger(file, { finished: false, done: {} });
    const parsed = ledgerSchema.safeParse(JSON.parse(text));
    if (!parsed.success)
      throw new Error(`${file} is not readable. Start with DEMO=0, or move it away to fill the demo again.`);
    return new DemoLedger(file, parsed.data);
  }

  get finished(): boolean {
    return this.state.finished;
  }

  get stepsDone(): number {
    return Object.keys(this.state.done).length;
  }

  /** Runs a step unless an earlier start did; returns what it produced then. */
  async once(key: string, work: () => Promise<string>): Promise<string> {
    const known = this.state.done[key];
    if (known !== undefined) return known;
    const result = await work();
    this.state.done[key] = result;
    await this.save();
    return result;
  }

  /** Marks the demo as complete and forgets what only filling it needed (session tokens among it). */
  async finish(): Promise<void> {
    this.state.finished = true;
    this.state.done = {};
    await this.save();
  }

  private save(): Promise<void> {
    return writeFile(this.file, JSON.stringify(this.state), { mode: 0o600 });
  }
}
