import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { stringify } from "yaml";

/** Control characters but tab and line feed, and what turns the direction of text: they would act on the reader's terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to take out
const acting = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Prints a result: as one line of JSON for programs, else as YAML for people. */
export function print(result: object, isJson: boolean): void {
  const shown = isJson ? `${JSON.stringify(result)}\n` : stringify(withoutActing(result), { lineWidth: 0 });
  process.stdout.write(shown);
}

/** Prints one line for people. */
export function line(text: string): void {
  process.stdout.write(`${text.replaceAll(acting, "").replaceAll("\n", "\n  ")}\n`);
}

/** Says something to a person; what programs read goes to standard output. */
export function say(sentence: string): void {
  process.stderr.write(`${sentence.replaceAll(acting, "")}\n`);
}

function withoutActing(value: unknown): unknown {
  if (typeof value === "string") return value.replaceAll(acting, "");
  if (Array.isArray(value)) return value.map(withoutActing);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutActing(one)]));
}

/** Reads standard input to its end. */
export const readInput = async (): Promise<string> => await text(process.stdin);

/** Reads a secret: from a pipe, or from a terminal that does not show it. */
export async function readSecret(prompt: string): Promise<string> {
  if (!process.stdin.isTTY) return (await readInput()).trim();
  process.stderr.write(prompt);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true });
  try {
    return (await lines.question("")).trim();
  } finally {
    lines.close();
    process.stderr.write("\n");
  }
}

/** Waits until the person has done what a page asks. @returns whether there is a person to wait for */
export async function waitForPerson(message: string, url: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false;
  say(`${message}\n\nOpen ${url}\nand press Enter when you have proven it.`);
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  await lines.question("");
  lines.close();
  return true;
}
