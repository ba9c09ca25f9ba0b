import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { NotAnExport, type VerifyOptions, verifyExport } from "./export";

const USAGE = `usage: npm run verify-log -- FILE [--topic ID] [--seen SEQ:HASH]
Verifies an export of the installation's log (GET /api/log), or with --topic of that topic's, without a network.
FILE has entries or pages of the API, as one JSON value or one per line. Exits with 1 if the log was changed.`;

/** Runs `npm run verify-log`. @returns the exit status */
async function main(args: readonly string[]): Promise<number> {
  const given = argumentsOf(args);
  if (!given) {
    console.error(USAGE);
    return 2;
  }
  try {
    const { entries, head, fault } = verifyExport(await readFile(given.file, "utf8"), given.options);
    if (fault) {
      console.error(`entry ${fault.seq} is ${fault.problem}`);
      return 1;
    }
    console.log(`${entries} entries hold; the newest is ${head ? `${head.seq}:${head.hash}` : "none"}`);
    return 0;
  } catch (error) {
    if (!(error instanceof NotAnExport)) throw error;
    console.error(`${given.file}: ${error.message}`);
    return 2;
  }
}

function argumentsOf(
  args: readonly string[],
): { readonly file: string; readonly options: VerifyOptions } | null {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { topic: { type: "string" }, seen: { type: "string" } },
    });
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0) return null;
    const seen = values.seen === undefined ? undefined : /^(\d{1,9}):([0-9a-f]{64})$/.exec(values.seen);
    if (seen === null) return null;
    const remembered = seen && { seq: Number(seen[1]), hash: seen[2] ?? "" };
    return { file, options: { topicId: values.topic, seen: remembered } };
  } catch {
    return null;
  }
}

process.exitCode = await main(process.argv.slice(2));
