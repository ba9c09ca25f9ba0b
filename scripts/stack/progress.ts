/**
 * What a person sees while something takes long. On a terminal the running line is redrawn with elapsed
 * time and a bar; elsewhere (CI, logs, agents) every step prints plain lines.
 */
export interface StepControls {
  /** How far, 0 to 1; shown as a bar. */
  progress(fraction: number, detail?: string): void;
  /** A word or two beside the title, kept when the step is done. */
  detail(text: string): void;
}

export interface Reporter {
  /** Runs `work` as one visible step; on failure the step is marked and the error passes through. */
  step<T>(title: string, work: (controls: StepControls) => Promise<T>): Promise<T>;
  /** A line of its own, above the running step. */
  note(text: string): void;
}

const BAR_WIDTH = 24;
const REDRAW_MS = 120;
const TITLE_WIDTH = 34;

/** Seconds with one decimal, or minutes and seconds from one minute on. */
export function formatElapsed(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${String(Math.floor(seconds % 60)).padStart(2, "0")} s`;
}

/** A bar of fixed width for 0 to 1. */
function formatBar(fraction: number): string {
  const filled = Math.round(Math.min(1, Math.max(0, fraction)) * BAR_WIDTH);
  return `${"█".repeat(filled)}${"░".repeat(BAR_WIDTH - filled)} ${String(Math.round(fraction * 100)).padStart(3)} %`;
}

/** A reporter for this terminal, or for plain output when it is none. */
export function consoleReporter(out: NodeJS.WriteStream = process.stdout): Reporter {
  return out.isTTY ? terminalReporter(out) : plainReporter((line) => void out.write(`${line}\n`));
}

/** A reporter that shows nothing; errors still pass through. */
export const silentReporter: Reporter = {
  step: (_title, work) => work({ progress: () => {}, detail: () => {} }),
  note: () => {},
};

/** A reporter of plain lines, each given to `print` without its line end. */
export function plainReporter(print: (line: string) => void): Reporter {
  return {
    note: (text) => print(`    ${text}`),
    async step(title, work) {
      const started = Date.now();
      let detail = "";
      let printedQuarter = 0;
      const line = (mark: string) =>
        `${mark} ${title.padEnd(TITLE_WIDTH)} ${formatElapsed(Date.now() - started).padStart(9)}${detail ? `  ${detail}` : ""}`;
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
  let redraw: (() => void) | undefined;
  const clear = () => out.write("\r\x1b[2K");
  return {
    note(text) {
      clear();
      out.write(`    ${text}\n`);
      redraw?.();
    },
    async step(title, work) {
      const started = Date.now();
      let detail = "";
      let fraction: number | undefined;
      const line = (mark: string, bar: string) => {
        const text = `${mark} ${title.padEnd(TITLE_WIDTH)} ${formatElapsed(Date.now() - started).padStart(9)}  ${bar}${detail}`;
        return text.slice(0, Math.max(20, (out.columns || 100) - 1));
      };
      redraw = () => {
        clear();
        out.write(line("  ·", fraction === undefined ? "" : `${formatBar(fraction)}  `));
      };
      const timer = setInterval(redraw, REDRAW_MS);
      const finish = (mark: string, colour: number) => {
        clearInterval(timer);
        redraw = undefined;
        clear();
        out.write(`\x1b[${colour}m${line(mark, "")}\x1b[0m\n`);
      };
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
