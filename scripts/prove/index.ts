import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline/promises";
import { text } from "node:stream/consumers";
import { createClient } from "@/lib/client";
import { proveAttested } from "@/lib/proofs/client/attested";
import { fileStore } from "@/lib/proofs/client/store.server";
import { deploymentPath, loadDeployment } from "@/lib/proofs/deployment.server";
import { verifyOnChain } from "@/lib/proofs/verify";
import { describeFailure } from "./failure";
import { type Options, readOptions, USAGE, UsageError } from "./options";
import { run, type World } from "./run";
import { jsonTeller, peopleTeller, type Teller } from "./tell";
import { holderOf, payerOf } from "./wallets";

/** `npm run prove`: see USAGE. Progress goes to standard error, the JSON result to standard output. */

async function askUser(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}

function worldOf(options: Options, tell: Teller): World {
  const { env } = process;
  const deployment = installation();
  const token = env.PARLEY_TOKEN;
  // Standard input carries either a token or the user's answers, never both.
  const isInteractive = process.stdin.isTTY && options.tokenFile !== "-";
  return {
    deployment,
    holder: () => holderOf(env),
    payer: payerOf(options, env),
    member: token ? createClient({ baseUrl: deployment.services.appUrl, token: () => token }) : null,
    store: fileStore(path.join(path.dirname(deploymentPath()), "payments")),
    readFile: (file) => readFile(file, "utf8"),
    readInput: () => text(process.stdin),
    prove: proveAttested,
    verify: verifyOnChain,
    newJob: () => randomBytes(6).toString("hex"),
    tell,
    ask: isInteractive ? askUser : null,
  };
}

function installation() {
  try {
    return loadDeployment();
  } catch (error) {
    if (error instanceof Error && !("code" in error)) throw new UsageError(error.message);
    throw new UsageError(
      `There is no deployment description at ${deploymentPath()}. Run npm start, or set PARLEY_DEPLOYMENT.`,
    );
  }
}

async function main(args: readonly string[]): Promise<number> {
  // Checked before the options are parsed, so that their errors have the requested format too.
  const tell = args.includes("--json") ? jsonTeller(process.stderr) : peopleTeller(process.stderr);
  try {
    const options = readOptions(args);
    if (!options) {
      console.error(USAGE);
      return 0;
    }
    console.log(JSON.stringify(await run(options, worldOf(options, tell))));
    return 0;
  } catch (error) {
    const { code, message, status } = describeFailure(error);
    tell.failed(code, message);
    if (error instanceof UsageError) tell.say("See npm run prove -- --help.");
    return status;
  }
}

process.exitCode = await main(process.argv.slice(2));
