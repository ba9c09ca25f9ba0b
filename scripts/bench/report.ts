import { formatLimit, formatValue, isMet, type Row } from "./row";

/** What a bench says about its run, filled while it runs. */
export interface About {
  /** How it measures, a sentence or more each. */
  readonly notes: string[];
  /** Programs with their versions. */
  readonly software: string[];
}

/** What a bench adds to docs/benchmarks.md. */
export interface Section {
  /** As in `npm run bench -- <name>`. */
  readonly name: string;
  /** How it was measured, one sentence or more each. */
  readonly notes: readonly string[];
  /** Machine, versions and date. */
  readonly where: string;
  readonly rows: readonly Row[];
}

/**
 * Returns the document with the section's text between its markers. The rest, written by hand, is kept.
 * @throws Error when the document lacks the markers
 */
export function withSection(document: string, section: Section): string {
  const [begin, end] = markers(section.name);
  const from = document.indexOf(begin);
  const to = document.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`docs/benchmarks.md has no place for ${section.name}: ${begin}`);
  return `${document.slice(0, from + begin.length)}\n${markdown(section)}\n${document.slice(to)}`;
}

/** Returns the lines between which a bench writes. */
export function markers(name: string): readonly [begin: string, end: string] {
  return [`<!-- bench ${name}: begin -->`, `<!-- bench ${name}: end -->`];
}

function markdown({ where, notes, rows }: Section): string {
  const lines = rows.map((row) => {
    const met = row.limit ? (isMet(row) ? "yes" : "**no**") : "";
    return `| ${cell(row.name)} | ${formatValue(row.value, row.unit)} | ${formatLimit(row)} | ${met} |`;
  });
  const table = ["| measure | value | limit | met |", "|---|---:|---|---|", ...lines].join("\n");
  const list = notes.map((note) => `- ${note}`).join("\n");
  return ["", where, ...(list ? [list] : []), table, ""].join("\n\n").trim();
}

/** A bar would end the cell. */
function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}

/** Returns a row as a line for a terminal. */
export function line(row: Row): string {
  const limit = row.limit ? `  ${isMet(row) ? "✓" : "✗"} ${formatLimit(row)}` : "";
  return `${row.name.padEnd(84)} ${formatValue(row.value, row.unit).padStart(12)}${limit}`;
}
