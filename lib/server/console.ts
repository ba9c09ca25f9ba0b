import { format, stripVTControlCharacters } from "node:util";
import { log } from "@/lib/log";

const levels = { debug: "debug", error: "error", info: "info", log: "info", warn: "warn" } as const;

/** Sends what Next and packages write to the console to our log, so that standard output is JSON lines only. */
export function logConsole(): void {
  for (const [name, level] of Object.entries(levels)) {
    Object.assign(console, {
      [name]: (...written: unknown[]) => {
        const err = written.find((each) => each instanceof Error);
        const rest = written.filter((each) => each !== err);
        const text = stripVTControlCharacters(format(...rest)).trim();
        if (text || err) log[level](err ? { err } : {}, text);
      },
    });
  }
}
