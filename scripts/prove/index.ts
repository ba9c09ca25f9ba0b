import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline/promises";
import { text } from "node:stream/consumers";
import { createClient } from "@/lib/client";
import { proveAttested } from "@/lib/proofs/client/attested";
import { fileStore } from "@/lib/proofs/client/store.server";
import { checkDeployment, deploymentPath } from "@/lib/proofs/deployment.server";
import { verifyOnChain } from "@/lib/proofs/verify";
import { homeFolder } from "@/lib/settings/general";
import { effectiveSettings } from "@/lib/settings/read";
import { proveVariables } from "@/lib/settings/tools";
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
  const deployment = installation();
  const { PARLEY_TOKEN: token } = effectiveSettings(proveVariables, process.env);
  const file = deploymentPath();
  // Standard input carries either a token or the user's answers, never both.
  const isInteractive = process.stdin.isTTY && options.tokenFile !== "-";
  return {
    deployment,
    holder: () => holderOf(process.env),
    payer: payerOf(options, process.env),
    member: token ? createClient({ baseUrl: deployment.services.appUrl, token: () => token }) : null,
    store: fileStore(path.join(file ? path.dirname(file) : homeFolder(), "payments")),
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
  const { deployment, problems } = checkDeployment();
  if (!deployment) throw new UsageError(`${problems.join("; ")}. Run npm start, or set PARLEY_DEPLOYMENT.`);
  return deployment;
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
