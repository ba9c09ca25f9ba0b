import fs from "node:fs";
import path from "node:path";
import { CIRCUITS_DIR } from "@/scripts/circuits/paths";

/** A statement of the Noir sources that refuses something. */
export interface Assertion {
  /** File, by path in the workspace. */
  file: string;
  /** Its first line, from 1. */
  line: number;
  /** The statement, on one line. */
  text: string;
  /** What it says when it refuses, if it has a text. */
  message: string | undefined;
  /** Where the statement stands in the file's text, the semicolon included. */
  start: number;
  end: number;
}

/** Texts of Noir files, by path in the workspace. */
export type Sources = ReadonlyMap<string, string>;

const DEPENDENCY = /^\s*\w+\s*=\s*\{\s*path\s*=\s*"([^"]+)"/gm;

/** Folders of the packages a circuit is compiled from, by path in the workspace. */
export function packagesOf(circuit: string): string[] {
  const seen = new Set<string>();
  const visit = (folder: string) => {
    if (seen.has(folder)) return;
    seen.add(folder);
    const manifest = fs.readFileSync(path.join(CIRCUITS_DIR, folder, "Nargo.toml"), "utf8");
    for (const [, dependency = ""] of manifest.matchAll(DEPENDENCY)) visit(path.join(folder, dependency));
  };
  visit(path.join("bin", circuit));
  return [...seen];
}

/** The Noir files of packages, without their tests. */
function sourcesOf(packages: readonly string[]): string[] {
  return packages.flatMap((folder) =>
    fs
      .readdirSync(path.join(CIRCUITS_DIR, folder, "src"))
      .filter((name) => name.endsWith(".nr") && name !== "tests.nr")
      .map((name) => path.join(folder, "src", name))
      .sort(),
  );
}

/** The statements of a text that refuse something: `assert…(…);` and `….assert_max_bit_size::<N>();`. */
export function assertionsIn(file: string, source: string): Assertion[] {
  const found: Assertion[] = [];
  let at = 0;
  for (const [i, line] of source.split("\n").entries()) {
    const start = at + line.length - line.trimStart().length;
    at += line.length + 1;
    const code = line.trimStart();
    if (!/^assert\w*(::<[^>]*>)?\s*\(/.test(code) && !/^[^/]*\.assert_max_bit_size::</.test(code)) continue;
    const end = source.indexOf(";", start) + 1;
    const statement = source.slice(start, end);
    found.push({
      file,
      line: i + 1,
      text: statement.replace(/\s+/g, " "),
      message: /^assert\(/.test(code) ? /,\s*"([^"]*)"\s*,?\s*\);$/.exec(statement)?.[1] : undefined,
      start,
      end,
    });
  }
  return found;
}

/** All that a circuit is compiled from, without tests. */
export function textsOf(circuit: string): Sources {
  return new Map(
    sourcesOf(packagesOf(circuit)).map((file) => [
      file,
      fs.readFileSync(path.join(CIRCUITS_DIR, file), "utf8"),
    ]),
  );
}

/** All of a circuit's. */
export function assertionsOf(circuit: string): Assertion[] {
  return [...textsOf(circuit)].flatMap(([file, text]) => assertionsIn(file, text));
}

/** The `unsafe` blocks of a circuit's sources: where, and the comment above. */
export function unsafeBlocksOf(
  circuit: string,
): { file: string; line: number; call: string; comment: string }[] {
  return [...textsOf(circuit)].flatMap(([file, text]) => {
    const lines = text.split("\n");
    return lines.flatMap((line, i) => {
      const call = /unsafe \{\s*(\w+)/.exec(line)?.[1];
      if (call === undefined) return [];
      const above = lines.slice(0, i).reverse();
      const comment = above.slice(
        0,
        above.findIndex((other) => !other.trim().startsWith("//")),
      );
      return [{ file, line: i + 1, call, comment: comment.at(-1)?.trim() ?? "" }];
    });
  });
}
