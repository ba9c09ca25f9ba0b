import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline/promises";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { ApiError, createClient } from "@/lib/client";
import { payingWallet } from "@/lib/proofs/client";
import { attestationWallet, proveAttested } from "@/lib/proofs/client/attested";
import { fileStore } from "@/lib/proofs/client/store.server";
import { deploymentPath, loadDeployment } from "@/lib/proofs/deployment.server";
import { hex32Schema } from "@/lib/proofs/hex";
import { verifyOnChain } from "@/lib/proofs/verify";
import { readOptions, USAGE, UsageError } from "./options";
import { NotConfirmedError, run, type World } from "./run";

/** `npm run prove`: see USAGE. People read the standard error, programs the JSON on the standard output. */

/** The account of a key in the environment. @throws UsageError naming the variable, never its value */
function accountFrom(variable: "ATTESTATION_KEY" | "PAYMENT_PRIVATE_KEY"): PrivateKeyAccount {
  const text = process.env[variable];
  if (!text) throw new UsageError(`Set ${variable} in the environment.`);
  const key = hex32Schema.safeParse(text.startsWith("0x") ? text : `0x${text}`);
  if (!key.success) throw new UsageError(`${variable} is not a private key: 64 hex digits.`);
  try {
    return privateKeyToAccount(key.data);
  } catch {
    throw new UsageError(`${variable} is not a private key: 64 hex digits.`);
  }
}

async function askPerson(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}

function worldOf(): World {
  const deployment = loadDeployment();
  const token = process.env.PARLEY_TOKEN;
  const holder = accountFrom("ATTESTATION_KEY");
  return {
    deployment,
    holder: attestationWallet(holder),
    payer: payingWallet(accountFrom("PAYMENT_PRIVATE_KEY")),
    member: token ? createClient({ baseUrl: deployment.services.appUrl, token: () => token }) : null,
    store: fileStore(path.join(path.dirname(deploymentPath()), "payments")),
    readFile: (file) => readFile(file, "utf8"),
    prove: proveAttested,
    verify: verifyOnChain,
    newJob: () => randomBytes(6).toString("hex"),
    say: (text) => console.error(text),
    ask: process.stdin.isTTY ? askPerson : null,
  };
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (!options) return console.error(USAGE);
  console.log(JSON.stringify(await run(options, worldOf())));
}

/** What to tell of anything that was thrown. */
function sentenceOf(error: unknown): string {
  if (error instanceof ApiError) return `${error.status} ${error.code}: ${error.message}`;
  const text = error instanceof Error ? error.message : String(error);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** 2 for a command that cannot mean anything or was not confirmed, 1 for everything that failed on the way. */
main().catch((error: unknown) => {
  console.error(sentenceOf(error));
  if (error instanceof UsageError) console.error("\nnpm run prove -- --help tells what there is.");
  process.exit(error instanceof UsageError || error instanceof NotConfirmedError ? 2 : 1);
});
