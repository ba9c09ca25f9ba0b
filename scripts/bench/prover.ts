import { availableParallelism } from "node:os";
import type { CircuitId } from "@/lib/proofs/deployment";
import {
  artifactFile,
  type BareProver,
  type BenchRow,
  bareProver,
  ensureKeys,
  ensureSrs,
  executeCircuit,
  loadArtifact,
  median,
  requiredPoints,
  threadsPerProcess,
} from "@/prover/barretenberg";
import { sendRaw } from "@/prover/testing/raw-http";
import { type RunningProver, type Stack, startStack } from "@/prover/testing/stack";
import { honestInputs } from "../circuits/honest-inputs";
import { benchUnpaid, MAX_UNPAID_RATIO } from "./unpaid";

const MAX_RATIO = 1.1;
const MAX_REFUSAL_MS = 50;
const circuit: CircuitId = "oidc_domain_attestation";
/** Jobs that wait while others are proved: enough that no bb is ever without work. */
const WAITING = 3;
const ROUNDS = 7;
const TURNS = 2;

/**
 * The whole service: requests over HTTP with payments that a facilitator settles on a local chain, the witness of each
 * solved anew, each proof checked by its verifier contract. What is left out: the internet, and the block times of
 * real chains, both of which pass while other proofs are made.
 * @param proofs measured with the queue full, and by bb's command
 */
export async function benchProver(proofs: number, show: (rows: BenchRow[]) => void): Promise<BenchRow[]> {
  const stack = await startStack([circuit]);
  try {
    const refusals = await benchRefusals(stack.prover);
    show(refusals);
    const throughput = await benchThroughput(stack, proofs);
    show(throughput);
    const unpaid = await benchUnpaid(stack, proofs);
    show(unpaid);
    return [...refusals, ...throughput, ...unpaid];
  } finally {
    await stack.close();
  }
}

/** Whether a row is as it has to be. */
export function proverLimits({ name, unit, value }: BenchRow): boolean {
  if (unit === "ratio") return value <= (name.includes("unpaid") ? MAX_UNPAID_RATIO : MAX_RATIO);
  return !name.startsWith("refused") || value < MAX_REFUSAL_MS;
}

/** Service and command take turns, so that whatever else the machine does hits both. */
async function benchThroughput(stack: Stack, proofs: number): Promise<BenchRow[]> {
  const { parallel } = stack.backend;
  const prover = await stack.start();
  const artifact = await loadArtifact(artifactFile(circuit, "development"));
  const srs = await ensureSrs({ points: await requiredPoints([artifact]), require: "development" });
  const keys = await ensureKeys({ artifact, srs });
  const { witness } = await executeCircuit(artifact, await honestInputs(circuit, "development"));
  const bare = await bareProver({ circuit: artifact, keys, srs, witness });
  let service = 0;
  let command = 0;
  const half = Math.ceil(proofs / TURNS);
  for (let turn = 0; turn < TURNS; turn += 1) {
    service += (await serviceMs(stack, prover, half)) / TURNS;
    command += (await commandMs(bare, parallel, half)) / TURNS;
  }
  await bare.close();
  return [
    {
      name: `${circuit}: a proof of the service, queue full, ${parallel} at once`,
      value: service,
      unit: "ms",
    },
    { name: `${circuit}: a proof of bare bb prove, ${parallel} at once`, value: command, unit: "ms" },
    { name: `${circuit}: service / bb`, value: service / command, unit: "ratio" },
  ];
}

/** Milliseconds for each proof of the command, as many at once as the service makes, on the same shares of the cores. */
async function commandMs(bare: BareProver, parallel: number, proofs: number): Promise<number> {
  let left = proofs;
  const started = performance.now();
  await Promise.all(
    threadsPerProcess(availableParallelism(), parallel).map(async (threads) => {
      while (left-- > 0) await bare.prove(threads);
    }),
  );
  return (performance.now() - started) / proofs;
}

/** Milliseconds for each proof while the queue is full: a proof that is done is replaced by a new order. */
async function serviceMs(stack: Stack, { client }: RunningProver, proofs: number): Promise<number> {
  const depth = stack.backend.parallel + WAITING;
  const offer = await client.offer("eip155:8453");
  // Wallets are filled before, so that the chain has nothing else to do.
  const wallets: Awaited<ReturnType<Stack["payer"]>>[] = [];
  for (let i = 0; i < depth * 2 + proofs; i += 1) wallets.push(await stack.payer());
  const ends: number[] = [];
  let enough = false;
  const buyer = async () => {
    while (!enough) {
      const wallet = wallets.pop();
      if (!wallet) throw new Error("too few wallets");
      const { header } = await wallet.sign(offer);
      const {
        status,
        jobToken = "",
        error,
      } = await client.buy(stack.inputs, header, { Prefer: "respond-async" });
      if (status !== 202) throw new Error(`the prover answered ${status} ${error?.error}`);
      const last = (await client.events(jobToken)).at(-1);
      if (last?.name !== "done") throw new Error(`a job ended as ${last?.name}`);
      ends.push(performance.now());
      // The first of each buyer fill the queue and are not measured; the clock runs until it would run empty.
      if (ends.length >= depth + proofs) enough = true;
    }
  };
  await Promise.all(Array.from({ length: depth }, buyer));
  const [from = 0, to = 0] = [ends[depth - 1], ends[depth + proofs - 1]];
  return (to - from) / proofs;
}

async function benchRefusals({ client }: RunningProver): Promise<BenchRow[]> {
  const input = (json: string) => Buffer.from(`{"circuit":"${circuit}","inputs":{"jwt":${json}}}`);
  const bodies = {
    "a body of 64 MB": Buffer.alloc(64 * 1024 * 1024, " "),
    "JSON nested 100,000 deep": input("[".repeat(100_000) + "]".repeat(100_000)),
    "a list of a million entries": input(`[${"1,".repeat(999_999)}1]`),
    "JSON nested as deep as a body allows": input("[".repeat(30_000) + "]".repeat(30_000)),
    "a list as long as a body allows": input(`[${"1,".repeat(30_000)}1]`),
  };
  const rows: BenchRow[] = [];
  for (const [name, body] of Object.entries(bodies)) {
    for (const framing of ["length", "chunked"] as const) {
      const times: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const { status, answeredMs } = await sendRaw(client.url, body, framing);
        if (status !== 413 && status !== 400) throw new Error(`${name} was answered with ${status}`);
        times.push(answeredMs);
      }
      rows.push({
        name: `refused: ${name} (${framing}), median of ${ROUNDS}`,
        value: median(times),
        unit: "ms",
      });
    }
  }
  return rows;
}
