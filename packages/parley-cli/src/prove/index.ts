import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline/promises";
import envPaths from "env-paths";
import { createClient } from "@/lib/client";
import { proveAttested } from "@/lib/proofs/client/attested";
import { fileStore } from "@/lib/proofs/client/store.server";
import { verifyOnChain } from "@/lib/proofs/verify";
import { keepToken } from "../credentials";
import { installationAt } from "../installation";
import { surroundingsOf } from "../session";
import { readInput } from "../terminal";
import { describeFailure } from "./failure";
import { type Options, readOptions, USAGE } from "./options";
import { run, type World } from "./run";
import { jsonTeller, peopleTeller, type Teller } from "./tell";
import { holderOf, payerOf } from "./wallets";

async function askUser(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}

async function worldOf(options: Options, tell: Teller): Promise<World> {
  const { appUrl, token } = await surroundingsOf({ url: options.url, json: options.json });
  const clientOf = (as: string | undefined) => createClient({ baseUrl: appUrl, token: () => as });
  // Standard input carries either a token or the user's answers, never both.
  const isInteractive = process.stdin.isTTY && options.tokenFile !== "-";
  return {
    deployment: await installationAt(appUrl),
    holder: () => holderOf(process.env),
    payer: payerOf(options, process.env),
    member: token ? clientOf(token) : null,
    clientOf,
    keepToken: (fresh) => keepToken(appUrl, fresh),
    store: fileStore(path.join(envPaths("parley", { suffix: "" }).data, "payments")),
    readFile: (file) => readFile(file, "utf8"),
    readInput,
    prove: proveAttested,
    verify: verifyOnChain,
    newJob: () => randomBytes(6).toString("hex"),
    tell,
    ask: isInteractive ? askUser : null,
  };
}

/**
 * `parley prove`: see USAGE. Progress goes to standard error, the JSON result to standard output. Its own parser reads the
 * command line, because it repeats no argument: one may be a key.
 * @returns the exit status
 */
export async function prove(args: readonly string[]): Promise<number> {
  // Checked before the options are parsed, so that their errors have the requested format too.
  const tell = args.includes("--json") ? jsonTeller(process.stderr) : peopleTeller(process.stderr);
  try {
    const options = readOptions(args);
    if (!options) {
      console.error(USAGE);
      return 0;
    }
    console.log(JSON.stringify(await run(options, await worldOf(options, tell))));
    return 0;
  } catch (error) {
    const { code, message, status } = describeFailure(error);
    tell.failed(code, message);
    if (code === "USAGE") tell.say("See parley prove --help.");
    return status;
  }
}
