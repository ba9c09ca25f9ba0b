/** Reports the progress of one step. */
export interface StepControls {
  /** Sets the progress, 0 to 1, which is shown as a bar. */
  progress(fraction: number, detail?: string): void;
  /** Sets a word or two beside the title, which stay when the step is done. */
  detail(text: string): void;
}

/**
 * Shows the progress of long operations. A terminal gets a line for the oldest running step, redrawn with elapsed time and
 * a bar; other outputs (CI, logs, agents) get plain lines. Both get a line for each step that ends.
 */
export interface Reporter {
  /** Runs `work` as one visible step. Marks a failed step and passes the error through. */
  step<T>(title: string, work: (controls: StepControls) => Promise<T>): Promise<T>;
  /** Prints a line of its own, above the running steps. */
  note(text: string): void;
}

const BAR_WIDTH = 24;
const REDRAW_MS = 120;
const TITLE_WIDTH = 34;

/** Formats a duration: seconds with one decimal, from one minute on minutes and seconds. */
export function formatElapsed(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${String(Math.floor(seconds % 60)).padStart(2, "0")} s`;
}

function formatBar(fraction: number): string {
  const filled = Math.round(Math.min(1, Math.max(0, fraction)) * BAR_WIDTH);
  return `${"█".repeat(filled)}${"░".repeat(BAR_WIDTH - filled)} ${String(Math.round(fraction * 100)).padStart(3)} %`;
}

/** Returns a reporter for this terminal, or for plain output if it is not one. */
export function consoleReporter(out: NodeJS.WriteStream = process.stdout): Reporter {
  return out.isTTY ? terminalReporter(out) : plainReporter((line) => void out.write(`${line}\n`));
}

/** A reporter that shows nothing. Errors still pass through. */
export const silentReporter: Reporter = {
  step: (_title, work) => work({ progress: () => {}, detail: () => {} }),
  note: () => {},
};

/** Returns a reporter of plain lines. @param print receives each line without its line break */
export function plainReporter(print: (line: string) => void, titleWidth = TITLE_WIDTH): Reporter {
  return {
    note: (text) => print(`    ${text}`),
    async step(title, work) {
      const started = Date.now();
      let detail = "";
      let printedQuarter = 0;
      const line = (mark: string) =>
        `${mark} ${title.padEnd(titleWidth)} ${formatElapsed(Date.now() - started).padStart(9)}${detail ? `  ${detail}` : ""}`;
      try {
        const result = await work({
          detail: (text) => {
            detail = text;
          },
          progress: (fraction, text) => {
            if (text !== undefined) detail = text;
            const quarter = Math.floor(fraction * 4);
            if (quarter <= printedQuarter || quarter >= 4) return;
            printedQuarter = quarter;
            print(`${line("  ..")} (${quarter * 25} %)`);
          },
        });
        print(line("  ok"));
        return result;
      } catch (error) {
        print(line("FAIL"));
        throw error;
      }
    },
  };
}

function terminalReporter(out: NodeJS.WriteStream): Reporter {
  /** The lines of the running steps, oldest first. */
  const running = new Set<() => string>();
  let timer: NodeJS.Timeout | undefined;
  const clear = () => out.write("\r\x1b[2K");
  const fitting = (text: string) => text.slice(0, Math.max(20, (out.columns || 100) - 1));
  const redraw = () => {
    clear();
    const [oldest, ...others] = running;
    if (!oldest) return;
    out.write(fitting(`${oldest()}${others.length > 0 ? `  (and ${others.length} more)` : ""}`));
  };
  return {
    note(text) {
      clear();
      out.write(`    ${text}\n`);
      redraw();
    },
    async step(title, work) {
      const started = Date.now();
      let detail = "";
      let fraction: number | undefined;
      const line = (mark: string, bar: string) =>
        `${mark} ${title.padEnd(TITLE_WIDTH)} ${formatElapsed(Date.now() - started).padStart(9)}  ${bar}${detail}`;
      const current = () => line("  ·", fraction === undefined ? "" : `${formatBar(fraction)}  `);
      const finish = (mark: string, color: number) => {
        running.delete(current);
        if (running.size === 0) clearInterval(timer);
        clear();
        out.write(`\x1b[${color}m${fitting(line(mark, ""))}\x1b[0m\n`);
        redraw();
      };
      if (running.size === 0) timer = setInterval(redraw, REDRAW_MS);
      running.add(current);
      redraw();
      try {
        const result = await work({
          detail: (text) => {
            detail = text;
          },
          progress: (value, text) => {
            fraction = value;
            if (text !== undefined) detail = text;
          },
        });
        finish("  ✓", 39);
        return result;
      } catch (error) {
        finish("  ✗", 31);
        throw error;
      }
    },
  };
}
