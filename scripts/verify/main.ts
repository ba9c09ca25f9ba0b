import { readFile, writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { ApiError } from "@/lib/client";
import {
  type Bundle,
  checkBundle,
  fetchBundle,
  NothingToVerify,
  readBundle,
} from "@/lib/client/anonymous/evidence";
import type { BoxFault } from "@/lib/proofs/anonymous/box";
import type { Fault } from "@/lib/proofs/anonymous/evidence";
import { openMembershipVerifier } from "@/lib/proofs/anonymous/open-verifier";
import type { MembershipVerifier } from "@/lib/proofs/anonymous/verifier";
import { fetchSavedBox, readBox, recount, type SavedBox } from "./box";

const USAGE = `usage: npm run verify -- ADDRESS|FILE [--save FILE]
Checks that one of a crowd said exactly this, or counts secret ballots again: a post or comment that was written anonymously,
or a post with such a poll, by the ADDRESS of its page or by a FILE that --save wrote, which needs no network. Exits with 1
if something is wrong.`;

const FAULTS: Readonly<Record<Fault, string>> = {
  list: "the list of roots was changed, or is not whole",
  root: "the proof is about a crowd that was not published",
  topic: "the proof is about another topic",
  terms: "the proof is about other terms than everyone's",
  thread: "the proof is about another thread",
  words: "the proof is about other words",
  proof: "the proof does not hold",
};

const BOX_FAULTS: Readonly<Record<BoxFault, string>> = {
  list: FAULTS.list,
  root: "a ballot is of another crowd than the poll's",
  ballot: "a ballot is for another poll, or was changed",
  choice: "a ballot chooses what the poll does not offer",
  twice: "a member has two ballots",
  proof: "the proof of a ballot does not hold",
  count: "the numbers are not those of the ballots",
  own: "a ballot is missing",
};

type Found = { readonly text: Bundle } | { readonly box: SavedBox };

/** @throws NothingToVerify, ApiError; Error of the file system */
async function find(from: string): Promise<Found> {
  if (!/^https?:/.test(from)) {
    const text = await readFile(from, "utf8");
    const box = readBox(text);
    return box ? { box } : { text: readBundle(text) };
  }
  try {
    return { text: await fetchBundle(from) };
  } catch (error) {
    const isNamed = error instanceof ApiError && error.code === "not_anonymous";
    const box = isNamed ? await fetchSavedBox(from) : null;
    if (box) return { box };
    throw error;
  }
}

/** @returns what is wrong, or else what holds */
async function check(found: Found, verifier: MembershipVerifier): Promise<{ wrong?: string; holds: string }> {
  if ("box" in found) {
    const fault = await recount(found.box, verifier);
    const { ballots, options } = found.box.box;
    const numbers = options.map(({ text, voteCount }) => `\n  ${voteCount}  ${text}`).join("");
    const holds = `${ballots.length} ballots, each of another one of the crowd, and all hold:${numbers}`;
    return { holds, ...(fault && { wrong: BOX_FAULTS[fault] }) };
  }
  const { fault, crowd, act } = await checkBundle(found.text, verifier);
  const holds = `One of ${crowd} wrote this ${act.kind}, word for word. Nobody can tell from it which one.`;
  return { holds, ...(fault && { wrong: FAULTS[fault] }) };
}

/** Runs `npm run verify`. @returns the exit status */
async function main(args: readonly string[]): Promise<number> {
  const given = argumentsOf(args);
  if (!given) {
    console.error(USAGE);
    return 2;
  }
  const verifier = openMembershipVerifier();
  try {
    const found = await find(given.from);
    const { wrong, holds } = await check(found, verifier);
    const saved = "box" in found ? found.box : found.text;
    if (given.save !== undefined) await writeFile(given.save, `${JSON.stringify(saved)}\n`);
    if (wrong) {
      console.error(wrong);
      return 1;
    }
    console.log(holds);
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
