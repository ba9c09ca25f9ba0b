import os from "node:os";
import { formatElapsed } from "../progress";
import { type Counts, labelled, output, printingTo } from "./run";

/** A part of `npm test` or `npm run assure`. */
export interface Section {
  readonly name: string;
  readonly title: string;
  /** Measures time, so it runs alone, after the others. */
  readonly alone?: true;
  run(): Promise<Counts>;
}

export interface SectionsOptions {
  readonly lanes?: number;
  /** `--help` prints it above the list of sections. */
  readonly usage?: string;
}

function helpText(sections: readonly Section[], usage: string): string {
  const width = Math.max(...sections.map(({ name }) => name.length));
  const lines = sections.map(({ name, title }) => `  ${name.padEnd(width)}  ${title}`);
  return `${usage}\n\nSections:\n${lines.join("\n")}\n`;
}

/**
 * Returns how many sections to run at once: the number of `--lanes`, else `wanted`, at most one per core.
 * @throws Error for an invalid number
 */
export function lanesFor(args: readonly string[], wanted: number, cores = os.availableParallelism()): number {
  const said = option(args, "--lanes");
  if (said === undefined) return Math.max(1, Math.min(wanted, cores));
  const lanes = Number(said);
  if (!Number.isInteger(lanes) || lanes < 1 || lanes > 8) {
    throw new Error("--lanes takes a number from 1 to 8");
  }
  return lanes;
}

/** Adds up counts. */
export function sum(counts: readonly Counts[]): Required<Counts> {
  return {
    passed: counts.reduce((total, { passed }) => total + passed, 0),
    failed: counts.reduce((total, { failed }) => total + failed, 0),
    failures: counts.flatMap(({ failures = [] }) => failures),
  };
}

/**
 * Runs sections in order, as many at once as there are lanes, and prints the outcome of each. The last line is
 * "N passed, N failed". A section that throws is one failure.
 * @param args `--only a,b` selects sections by name; `--help` prints them and runs nothing
 * @returns whether anything failed
 */
export async function runSections(
  sections: readonly Section[],
  args: readonly string[],
  { lanes = 1, usage = "" }: SectionsOptions = {},
): Promise<boolean> {
  if (args.includes("--help") || args.includes("-h")) {
    process.stdout.write(helpText(sections, usage));
    return false;
  }
  const rows: string[] = [];
  const all: Counts[] = [];
  const started = Date.now();
  const chosen = selected(sections, args);
  const run = async (section: Section, label: string) => {
    const begun = Date.now();
    const out = labelled(label, process.stdout);
    out.write(`\n=== ${section.title} (${section.name}) ===\n\n`);
    const counts = await printingTo(out, () => section.run()).catch((error: unknown) => {
      out.write(`${error instanceof Error ? error.message : String(error)}\n`);
      return { passed: 0, failed: 1 };
    });
    out.end();
    all.push(counts);
    rows.push(
      `${counts.failed > 0 ? "FAIL" : "  ok"}  ${section.name.padEnd(10)} ${formatElapsed(Date.now() - begun).padStart(12)}  ${counts.passed} passed, ${counts.failed} failed`,
    );
  };
  // Every lane takes the next section of one shared iterator.
  const queue = chosen.filter(({ alone }) => !alone).values();
  const lane = async () => {
    for (const section of queue) await run(section, lanes > 1 ? `${section.name.padEnd(9)} | ` : "");
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  for (const section of chosen.filter(({ alone }) => alone)) await run(section, "");
  const total = sum(all);
  const out = output();
  // Last, so that the end of a log tells what failed.
  for (const { name, message } of total.failures) {
    out.write(`\nFAIL  ${name}\n${message.replace(/^/gm, "      ")}\n`);
  }
  out.write(`\n${rows.join("\n")}\n\nin ${formatElapsed(Date.now() - started)}\n`);
  out.write(`${total.passed} passed, ${total.failed} failed\n`);
  return total.failed > 0;
}

function option(args: readonly string[], name: string): string | undefined {
  const at = args.indexOf(name);
  return at < 0 ? undefined : (args[at + 1] ?? "");
}

function selected(sections: readonly Section[], args: readonly string[]): readonly Section[] {
  const list = option(args, "--only");
  if (list === undefined) return sections;
  const wanted = list.split(",").filter(Boolean);
  const unknown = wanted.filter((name) => !sections.some((section) => section.name === name));
  if (wanted.length === 0 || unknown.length > 0) {
    const known = sections.map(({ name }) => name).join(", ");
    throw new Error(`--only takes a comma-separated list of: ${known}`);
  }
  return sections.filter((section) => wanted.includes(section.name));
}
