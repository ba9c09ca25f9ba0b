import { formatElapsed } from "../progress";
import type { Counts } from "./run";

/** A part of `npm test` or `npm run assure`. */
export interface Section {
  readonly name: string;
  readonly title: string;
  run(): Promise<Counts>;
}

/** All counts together. */
export function sum(counts: readonly Counts[]): Counts {
  return counts.reduce(
    (total, { passed, failed }) => ({ passed: total.passed + passed, failed: total.failed + failed }),
    { passed: 0, failed: 0 },
  );
}

/**
 * Runs sections one after the other and prints how each went; the last line is "N passed, N failed". A section that
 * throws is one failure.
 * @param args `--only a,b` picks sections by name
 * @returns whether anything failed
 */
export async function runSections(sections: readonly Section[], args: readonly string[]): Promise<boolean> {
  const rows: string[] = [];
  const all: Counts[] = [];
  const started = Date.now();
  for (const section of selected(sections, args)) {
    const begun = Date.now();
    console.log(`\n=== ${section.title} (${section.name}) ===\n`);
    const counts = await section.run().catch((error: unknown) => {
      console.error(error instanceof Error ? error.message : error);
      return { passed: 0, failed: 1 };
    });
    all.push(counts);
    rows.push(
      `${counts.failed > 0 ? "FAIL" : "  ok"}  ${section.name.padEnd(10)} ${formatElapsed(Date.now() - begun).padStart(12)}  ${counts.passed} passed, ${counts.failed} failed`,
    );
  }
  const total = sum(all);
  console.log(`\n${rows.join("\n")}\n\nin ${formatElapsed(Date.now() - started)}`);
  console.log(`${total.passed} passed, ${total.failed} failed`);
  return total.failed > 0;
}

function selected(sections: readonly Section[], args: readonly string[]): readonly Section[] {
  const at = args.indexOf("--only");
  if (at < 0) return sections;
  const wanted = (args[at + 1] ?? "").split(",").filter(Boolean);
  const unknown = wanted.filter((name) => !sections.some((section) => section.name === name));
  if (wanted.length === 0 || unknown.length > 0) {
    const known = sections.map(({ name }) => name).join(", ");
    throw new Error(`--only takes a comma-separated list of: ${known}`);
  }
  return sections.filter((section) => wanted.includes(section.name));
}
