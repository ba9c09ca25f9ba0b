import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { entropyToMnemonic, mnemonicToEntropy } from "@scure/bip39";
import { wordlist } from "@scure/bip39/wordlists/english";
import { ApiError, createClient } from "@/lib/client";
import { phraseIn } from "@/lib/client/anonymous/phrase";
import { contract } from "@/lib/contract";
import { BannedError } from "@/lib/proofs/anonymous/membership";
import { NotInCrowdError } from "@/lib/proofs/anonymous/statement";
import { testEngine } from "@/lib/proofs/testing/membership";
import { RoseMember } from "./member";

const USAGE = `usage: npm run rose -- words
       npm run rose -- enroll  --topic ID                     WHO
       npm run rose -- post    --topic ID --title TEXT [--tag TAG]... WHO  < HTML
       npm run rose -- comment --post ID [--parent ID]        WHO  < TEXT
       npm run rose -- vote    --post ID --option NUMBER...   WHO
       npm run rose -- delete  --post ID [--comment ID]       WHO
Speaks and votes as one of a topic's crowd, with proofs made here. \`words\` prints a new secret as 24 words. WHO is
  --words FILE   the words
  --token FILE   a session's token: to enroll, and for topics that not everyone reads; what is said carries none
  --url URL      of the installation, http://localhost:3000 by default
It is sent at once: wait a random while before, or the moment may say who sends it. docs/anonymous.md says how it works.`;

/** What somebody typed is not enough, or too much. */
class UsageError extends Error {}

const string = { type: "string" } as const;
const options = {
  ...{ topic: string, post: string, title: string, parent: string, comment: string },
  ...{ words: string, token: string, url: string },
  tag: { type: "string", multiple: true },
  option: { type: "string", multiple: true },
} as const;

function argumentsOf(args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
    const [command, ...more] = positionals;
    if (more.length > 0) throw new UsageError(USAGE);
    return { command, values };
  } catch {
    throw new UsageError(USAGE);
  }
}

type Values = ReturnType<typeof argumentsOf>["values"];

const needed = (value: string | undefined): string => {
  if (value === undefined) throw new UsageError(USAGE);
  return value;
};
const read = async (file: string) => (await readFile(file, "utf8")).trim();

async function memberOf(
  values: Values,
  engine: ReturnType<typeof testEngine>,
  send: typeof fetch,
): Promise<RoseMember> {
  const phrase = phraseIn(await read(needed(values.words)));
  if (!phrase) throw new UsageError(`${values.words}: these are not 24 words of a secret`);
  const appUrl = new URL(values.url ?? "http://localhost:3000").origin;
  const token = values.token === undefined ? undefined : await read(values.token);
  const signed = createClient({ baseUrl: appUrl, token: () => token, fetch: send });
  const topicId =
    values.topic ?? (await signed.call(contract.posts.get, { postId: needed(values.post) })).post.topicId;
  return new RoseMember({
    appUrl,
    topicId,
    token,
    master: mnemonicToEntropy(phrase, wordlist),
    engine,
    fetch: send,
  });
}

/** Where what is said comes from, and where the answer goes. */
export interface Terminal {
  readonly input: () => Promise<string>;
  readonly print: (line: string) => void;
  readonly complain: (line: string) => void;
  readonly fetch: typeof fetch;
}

/** Does one thing. @returns what to print */
async function act(
  command: string,
  values: Values,
  member: RoseMember,
  input: Terminal["input"],
): Promise<string> {
  switch (command) {
    case "enroll":
      await member.enroll();
      return "Enrolled. A later root of the crowd counts it.";
    case "post": {
      const said = { title: needed(values.title), content: (await input()).trim(), tags: values.tag ?? [] };
      const { postId, anonymous } = await member.post(said);
      return `${postId}, by ${anonymous.pseudonym}, one of ${anonymous.crowd}`;
    }
    case "comment": {
      const content = (await input()).trim();
      const { commentId, anonymous } = await member.comment(needed(values.post), content, values.parent);
      return `${commentId}, by ${anonymous.pseudonym}, one of ${anonymous.crowd}`;
    }
    case "vote": {
      const chosen = (values.option ?? []).map(Number);
      if (chosen.length === 0) throw new UsageError(USAGE);
      const { options: counted } = await member.vote(needed(values.post), chosen);
      return counted.map(({ text, voteCount }) => `${voteCount}  ${text}`).join("\n");
    }
    case "delete":
      await member.remove(needed(values.post), values.comment ?? null);
      return "Deleted.";
    default:
      throw new UsageError(USAGE);
  }
}

/** Runs `npm run rose`. @returns the exit status: 2 for a wrong use */
export async function runRose(
  args: readonly string[],
  { complain, fetch: send, input, print }: Terminal,
): Promise<number> {
  const engine = testEngine();
  try {
    const { command, values } = argumentsOf(args);
    if (command === "words") print(entropyToMnemonic(randomBytes(32), wordlist));
    else print(await act(needed(command), values, await memberOf(values, engine, send), input));
    return 0;
  } catch (error) {
    if (!isExpected(error)) throw error;
    complain(error.message);
    return error instanceof UsageError ? 2 : 1;
  } finally {
    await engine.close();
  }
}

function isExpected(error: unknown): error is Error {
  const known = [UsageError, ApiError, BannedError, NotInCrowdError, RangeError];
  // A file that is not there.
  return known.some((kind) => error instanceof kind) || (error instanceof Error && "code" in error);
}
