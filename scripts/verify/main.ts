import { readFile, writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { ApiError } from "@/lib/client";
import { checkBundle, fetchBundle, NothingToVerify, readBundle } from "@/lib/client/anonymous/evidence";
import type { Fault } from "@/lib/proofs/anonymous/evidence";
import { openMembershipVerifier } from "@/lib/proofs/anonymous/open-verifier";

const USAGE = `usage: npm run verify -- ADDRESS|FILE [--save FILE]
Checks that one of a crowd said exactly this: a post or comment that was written anonymously, by the ADDRESS of its page
or by a FILE that --save wrote, which needs no network. Exits with 1 if something is wrong.`;

const FAULTS: Readonly<Record<Fault, string>> = {
  list: "the list of roots was changed, or is not whole",
  root: "the proof is about a crowd that was not published",
  topic: "the proof is about another topic",
  terms: "the proof is about other terms than everyone's",
  thread: "the proof is about another thread",
  words: "the proof is about other words",
  proof: "the proof does not hold",
};

/** Runs `npm run verify`. @returns the exit status */
async function main(args: readonly string[]): Promise<number> {
  const given = argumentsOf(args);
  if (!given) {
    console.error(USAGE);
    return 2;
  }
  const verifier = openMembershipVerifier();
  try {
    const isAddress = /^https?:/.test(given.from);
    const bundle = isAddress ? await fetchBundle(given.from) : readBundle(await readFile(given.from, "utf8"));
    const { fault, crowd, act } = await checkBundle(bundle, verifier);
    if (given.save !== undefined) await writeFile(given.save, `${JSON.stringify(bundle)}\n`);
    if (fault) {
      console.error(FAULTS[fault]);
      return 1;
    }
    console.log(`One of ${crowd} wrote this ${act.kind}, word for word. Nobody can tell from it which one.`);
    return 0;
  } catch (error) {
    if (!(error instanceof NothingToVerify || error instanceof ApiError || isMissing(error))) throw error;
    console.error(`${given.from}: ${error.message}`);
    return 2;
  } finally {
    await verifier.close();
  }
}

function isMissing(error: unknown): error is Error {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

function argumentsOf(args: readonly string[]): { readonly from: string; readonly save?: string } | null {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { save: { type: "string" } },
    });
    const [from, ...more] = positionals;
    return from === undefined || more.length > 0 ? null : { from, save: values.save };
  } catch {
    return null;
  }
}

process.exitCode = await main(process.argv.slice(2));
