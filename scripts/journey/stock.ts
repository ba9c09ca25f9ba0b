import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { text } from "node:stream/consumers";
import type { Hex } from "viem";
import type { Deployment } from "@/lib/proofs/deployment";
import { type ProveResult, proveResultSchema } from "@/lib/proofs/wire";
import { ROOT } from "../stack/root";

/**
 * Buys a proof of an identity token with the stock x402 client, by the very program that docs/agents.md shows.
 * @param key private key of a wallet with play money
 */
export async function stockProof(
  { scope, services }: Deployment,
  jwt: string,
  key: Hex,
): Promise<ProveResult> {
  const program = (await programOfDocs())
    .replace("http://localhost:3001", services.proverUrl)
    .replace('"zk-community"', JSON.stringify(scope));
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    cwd: ROOT,
    env: { ...process.env, PAYMENT_PRIVATE_KEY: key },
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.end(jwt);
  const [answer] = await Promise.all([text(child.stdout), once(child, "close")]);
  assert.equal(child.exitCode, 0, "the program of docs/agents.md failed");
  return proveResultSchema.parse(JSON.parse(answer));
}

/** The one indented block of the page that imports the client. */
async function programOfDocs(): Promise<string> {
  const page = await readFile(path.join(ROOT, "docs", "agents.md"), "utf8");
  const blocks = page.match(/(?:^ {4}.*\n|^\n)+/gm) ?? [];
  const program = blocks.find((block) => block.includes('from "@x402/fetch"'));
  assert(program, "docs/agents.md has no program with the stock client");
  return program.replaceAll(/^ {4}/gm, "");
}
