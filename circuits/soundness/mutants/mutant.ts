import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { CircuitName } from "@/lib/proofs/deployment";
import { compileCircuit } from "@/scripts/circuits/compile";
import { CIRCUITS_DIR } from "@/scripts/circuits/paths";
import { packagesOf, type Sources, textsOf } from "../assertions";
import { Circuit } from "../circuit";

/** A place in a source text that gets another text. */
export interface Edit {
  file: string;
  start: number;
  end: number;
  by: string;
}

/** A circuit whose sources have one fault. */
export interface Mutant {
  circuit: CircuitName;
  kind: Kind;
  file: string;
  /** Line of the first edit, from 1. */
  line: number;
  /** The statement that is taken out, or the line that is changed, on one line. */
  text: string;
  /** What is done to it, for readers. */
  change: string;
  edits: readonly Edit[];
  /** SHA-256 over the circuit's sources with the fault: the same fault in the same sources has the same one. */
  digest: string;
}

/** What is done to the sources: a statement taken out, or a constant changed. */
export type Kind = "removal" | "width" | "bound" | "number" | "text";

/** A text with edits applied. */
function edited(file: string, text: string, edits: readonly Edit[]): string {
  return edits
    .filter((edit) => edit.file === file)
    .sort((a, b) => b.start - a.start)
    .reduce((out, { start, end, by }) => out.slice(0, start) + by + out.slice(end), text);
}

const normal = new Map<string, string>();

/** A source text as the compiler sees it: without comments and layout. */
function normalized(text: string): string {
  const known = normal.get(text);
  if (known !== undefined) return known;
  const made = text
    .replace(/\/\/.*$/gm, "")
    .replace(/\s+/g, " ")
    .trim();
  normal.set(text, made);
  return made;
}

/** SHA-256 of what the compiler sees of sources: comments, and how the code is laid out, do not count. */
export function digestOf(sources: Sources): string {
  const hash = createHash("sha256");
  for (const [file, text] of sources) hash.update(`${file}\0${normalized(text)}\0`);
  return hash.digest("hex");
}

/** A mutant of a circuit by its edits, the first of which says where it is. */
export function mutantOf(
  circuit: CircuitName,
  sources: Sources,
  { edits, ...rest }: Pick<Mutant, "kind" | "text" | "change" | "edits">,
): Mutant {
  const [first] = edits;
  if (!first) throw new RangeError("a mutant has an edit");
  const { file, start } = first;
  const line = (sources.get(file) ?? "").slice(0, start).split("\n").length;
  const faulty = new Map([...sources].map(([name, text]) => [name, edited(name, text, edits)]));
  return { circuit, file, line, edits, ...rest, digest: digestOf(faulty) };
}

/** Compiles a circuit from a private copy of its sources with edits. @throws Error when it does not compile. */
export async function compileEdited(circuit: CircuitName, edits: readonly Edit[]): Promise<Circuit> {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), "parley-mutant-"));
  try {
    for (const folder of packagesOf(circuit)) {
      fs.cpSync(path.join(CIRCUITS_DIR, folder), path.join(root, folder), { recursive: true });
    }
    for (const [file, text] of textsOf(circuit)) {
      const faulty = edited(file, text, edits);
      if (faulty !== text) fs.writeFileSync(path.join(root, file), faulty);
    }
    return new Circuit(await compileCircuit(root, circuit));
  } finally {
    fs.rmSync(root, { recursive: true, force: true });
  }
}
