import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { createSIWxPayload, encodeSIWxHeader } from "@x402/extensions/sign-in-with-x";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { verifyOnChain } from "@/lib/proofs/verify";
import { circuit, ProverClient } from "@/prover/testing/prover-client";
import { type Stack, startStack } from "@/prover/testing/stack";
import { bbPlatform } from "@/scripts/dist/prover";
import { MAX_FOLDER_BYTES, sizeOnDisk } from "@/scripts/dist/size";
import { proverFolder, startProverFolder } from "./prover-folder";

let folder: string;
let home: string;
let stack: Stack;
let child: ChildProcess;
let client: ProverClient;

beforeAll(async () => {
  [folder, home, stack] = await Promise.all([
    mkdtemp(path.join(os.tmpdir(), "parley-prover-")),
    mkdtemp(path.join(os.tmpdir(), "parley-home-")),
    startStack(),
  ]);
  await proverFolder(folder);
  await writeFile(path.join(home, "deployment.json"), JSON.stringify(stack.deployment));
  const variables = {
    PARLEY_DEPLOYMENT: path.join(home, "deployment.json"),
    PARLEY_HOME: home,
    PROVER_PORT: "0",
    PROVER_SETTLEMENT_KEY: stack.settlementKey,
  };
  child = startProverFolder(folder, variables, "pipe");
  client = new ProverClient(await listeningUrl(child));
});
afterAll(async () => {
  if (child && child.exitCode === null) {
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }
  await stack?.close();
  await Promise.all([folder, home].map((each) => rm(each, { recursive: true, force: true })));
});

const text = z.string();
const askedSchema = z.object({
  extensions: z.object({
    "sign-in-with-x": z.object({
      info: z.object({
        ...{ domain: text, uri: text, statement: text, version: text, nonce: text },
        ...{ issuedAt: text, expirationTime: text },
      }),
    }),
  }),
});

async function listeningUrl({ stdout }: ChildProcess): Promise<string> {
  if (!stdout) throw new Error("the prover's output is not piped");
  for await (const line of createInterface(stdout)) {
    const url = /"url":"([^"]+)","msg":"listening"/.exec(line)?.[1];
    if (url) return url;
  }
  throw new Error("the prover ended before it served");
}

it("structure 4: the prover folder serves by itself, and makes a proof that the verifier accepts", async () => {
  const health = await fetch(`${client.url}/health`);
  expect(health.status).toBe(200);
  for (const name of ["page.css", "inter.woff2"])
    expect((await fetch(`${client.url}/assets/${name}`)).status, name).toBe(200);
  const { header } = await (await stack.payer()).sign(await client.offer("eip155:8453"));
  const { result } = await client.buy(stack.inputs, header);
  if (!result) throw new Error("no proof");
  const { proof, publicInputs } = result;
  expect(await verifyOnChain(stack.deployment, { circuit, proof, publicInputs })).toBe("valid");
});

it("the prover folder shows a wallet what it bought, with the packages that are in its bundle", async () => {
  const payer = await stack.payer();
  const { header } = await payer.sign(await client.offer("eip155:8453"));
  expect((await client.buy(stack.inputs, header)).status).toBe(200);
  const address = `${client.url}/api/v1/purchases`;
  const { extensions } = askedSchema.parse(await (await fetch(address)).json());
  const asked = { ...extensions["sign-in-with-x"].info, chainId: "eip155:8453", type: "eip191" as const };
  const signed = encodeSIWxHeader(await createSIWxPayload(asked, payer.account, asked.uri));
  const shown = await fetch(address, { headers: { "sign-in-with-x": signed } });
  expect(await shown.json()).toMatchObject({ payer: payer.address, purchases: [{ state: "proven" }] });
});

it("structure 4: the prover folder takes 120 MB at most, and is for one platform", async () => {
  expect(await sizeOnDisk(folder)).toBeLessThanOrEqual(MAX_FOLDER_BYTES);
  expect(await readdir(path.join(folder, "build"))).toEqual([bbPlatform]);
});
