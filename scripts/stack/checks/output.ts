import { AsyncLocalStorage } from "node:async_hooks";

/** Where what a section prints goes. */
export interface Output {
  write(text: string): void;
}

const current = new AsyncLocalStorage<Output>();

/** The output of the section this code runs in; outside of one, the terminal's. */
export function output(): Output {
  return current.getStore() ?? process.stdout;
}

/** Runs `work` with `to` as its output. */
export function printingTo<T>(to: Output, work: () => Promise<T>): Promise<T> {
  return current.run(to, work);
}

/**
 * Lines with a label in front, so that sections which run side by side can be told apart. A line is passed on when it
 * is complete; `end` passes on what is left.
 */
export function labelled(label: string, out: Output): Output & { end(): void } {
  let rest = "";
  return {
    write(text) {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      if (lines.length > 0) out.write(lines.map((line) => `${label}${line}\n`).join(""));
    },
    end() {
      if (rest) out.write(`${label}${rest}\n`);
      rest = "";
    },
  };
}
