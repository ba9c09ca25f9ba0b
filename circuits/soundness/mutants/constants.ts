import type { CircuitName } from "@/lib/proofs/deployment";
import { type Sources, textsOf } from "../assertions";
import { type Edit, type Kind, type Mutant, mutantOf } from "./mutant";

/** Bits of a range that a field element nearly always passes. */
const WIDE = 253;

/** A change of one constant. */
interface Change extends Edit {
  kind: Kind;
  what: string;
}

/** Files that only hints are computed with. */
const HINTS = /\/hint\.nr$/;

/** The same text with comments, imports and code that only computes hints blanked out: positions stay. */
function constrained(source: string): string {
  const blank = (text: string) => text.replace(/[^\n]/g, " ");
  return source
    .replace(/\/\/.*$/gm, blank)
    .replace(/^unconstrained fn [\s\S]*?^}$/gm, blank)
    .replace(/^(pub )?(use|mod) [\s\S]*?;/gm, blank);
}

const WIDTH = /(assert_max_bit_size::<|^(?:pub(?:\(crate\))? )?global \w*BITS: u32 = )(\d+)/gm;
const BOUND = /\bfor \w+ in ([^{]*?)\.\.([^{]*?) \{/g;
const NUMBER = /(?<![\w.])(0x[0-9a-fA-F]+|\d+)(?![\w.])/g;
const TEXT = /"((?:[^"\\]|\\.)*)"\.as_bytes\(\)/g;
/** The length of an array's type, or of an array literal. */
const LENGTH = /;[^;[\]()]*$/;

/** Ranges one bit wider, one narrower, and as wide as the field. */
function widths(file: string, code: string): Change[] {
  return [...code.matchAll(WIDTH)].flatMap(([, before = "", bits = ""], i, all) => {
    const start = (all[i]?.index ?? 0) + before.length;
    const end = start + bits.length;
    return [Number(bits) + 1, Number(bits) - 1, WIDE].map(
      (other): Change => ({
        kind: "width",
        what: `${bits} bits -> ${other}`,
        file,
        start,
        end,
        by: String(other),
      }),
    );
  });
}

/** Loops that end one round earlier. */
function bounds(file: string, code: string): Change[] {
  return [...code.matchAll(BOUND)].map((match): Change => {
    const [whole, , bound = ""] = match;
    const end = match.index + whole.length - 2;
    const start = end - bound.length;
    const what = `..${bound} -> ..${bound} - 1`;
    return { kind: "bound", what, file, start, end, by: `${bound} - 1` };
  });
}

const oneMore = (digits: string): string => {
  const value = BigInt(digits) + 1n;
  return digits.startsWith("0x") ? `0x${value.toString(16)}` : String(value);
};

const TABLE = /^(?:pub(?:\(crate\))? )?global [\s\S]*?;$|^comptime fn [\s\S]*?^}$|= \[[^\];]*\]/gm;

/** Numbers of tables and other constants, one more; not the widths and bounds above, and no lengths. */
function numbers(file: string, code: string, taken: readonly Change[]): Change[] {
  const tables = [...code.matchAll(TABLE)].map(
    ({ index, 0: { length } }) => [index, index + length] as const,
  );
  return [...code.matchAll(NUMBER)].flatMap((match): Change[] => {
    const [digits] = match;
    const start = match.index;
    const end = start + digits.length;
    if (!tables.some(([from, to]) => from <= start && end <= to)) return [];
    if (taken.some((one) => start < one.end && one.start < end)) return [];
    const before = code.slice(code.lastIndexOf("\n", start) + 1, start);
    const after = code.slice(end).split("\n", 1)[0] ?? "";
    const isLength = LENGTH.test(before) && /^[^;[]*\]/.test(after);
    const isFirst = /\bfor \w+ in [^{]*$/.test(before) && /^[^{]*\.\./.test(after);
    // The capacity of a BoundedVec, and what an array is filled with before it is written.
    const isType = /\b(fn|struct|type)\b|BoundedVec<[^>]*$/.test(before);
    const isFill = /\[$/.test(before) && /^;/.test(after);
    if (isLength || isFirst || isType || isFill) return [];
    return [
      { kind: "number", what: `${digits} -> ${oneMore(digits)}`, file, start, end, by: oneMore(digits) },
    ];
  });
}

/** Constant texts with their last letter or digit changed. */
function texts(file: string, code: string): Change[] {
  return [...code.matchAll(TEXT)].flatMap((match): Change[] => {
    const [, text = ""] = match;
    const letter = /[A-Za-z0-9](?=[^A-Za-z0-9]*$)/.exec(text.replace(/\\0/g, "  "));
    if (!letter) return [];
    const start = match.index + 1 + letter.index;
    const by = letter[0] === "x" ? "y" : "x";
    const what = `${JSON.stringify(text)}: ${letter[0]} -> ${by}`;
    return [{ kind: "text", what, file, start, end: start + 1, by }];
  });
}

function changesIn(file: string, source: string): Change[] {
  const code = constrained(source);
  const plain = code.replace(/"(?:[^"\\]|\\.)*"/g, (text) => " ".repeat(text.length));
  const first = [...widths(file, plain), ...bounds(file, plain)];
  return [...first, ...numbers(file, plain, first), ...texts(file, code)];
}

/** Every fault in a constant that is tried: in order of files and places. */
export function constantMutants(circuit: CircuitName, sources: Sources = textsOf(circuit)): Mutant[] {
  return [...sources].flatMap(([file, source]) =>
    (HINTS.test(file) ? [] : changesIn(file, source))
      .sort((a, b) => a.start - b.start)
      .map(({ kind, what, ...edit }) => {
        const from = source.lastIndexOf("\n", edit.start) + 1;
        const text = source.slice(from).split("\n", 1)[0]?.trim() ?? "";
        return mutantOf(circuit, sources, { kind, text, change: what, edits: [edit] });
      }),
  );
}
