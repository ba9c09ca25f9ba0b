import { availableParallelism } from "node:os";
import type { CircuitId } from "@/lib/proofs/deployment";
import {
  artifactFile,
  type BareProver,
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
import { price, type RunningProver, type Stack, startStack } from "@/prover/testing/stack";
import { honestInputs } from "../circuits/honest-inputs";
import type { Row } from "./row";

const MAX_RATIO = 1.1;
const MAX_REFUSAL_MS = 50;
const circuit: CircuitId = "oidc_domain_attestation";
/** Jobs that wait while others are proved: enough to keep every bb busy. */
const WAITING = 3;
const ROUNDS = 7;
const TURNS = 2;

/**
 * Measures the whole service: HTTP requests with payments that a facilitator settles on a local chain, a new witness for
 * each, and each proof checked by its verifier contract. It leaves out the internet and the block times of real chains,
 * during which other proofs are made.
 * @param proofs to measure with a full queue, and with bb's command
 */
export async function* benchProver(proofs: number): AsyncGenerator<Row[]> {
  const stack = await startStack([circuit]);
  try {
    yield await benchRefusals(stack.prover);
    yield await benchThroughput(stack, proofs);
    yield await benchUnpaid(stack, proofs);
  } finally {
    await stack.close();
  }
}

/** Alternates service and command, so that other load affects both. */
async function benchThroughput(stack: Stack, proofs: number): Promise<Row[]> {
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
    {
      name: `${circuit}: service / bb`,
      value: service / command,
      unit: "ratio",
      limit: { most: MAX_RATIO },
    },
  ];
}

/** Returns milliseconds per proof of the command, with the concurrency and the threads of the service. */
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

/** Returns milliseconds per proof with a full queue: a new request replaces each finished proof. */
async function serviceMs(stack: Stack, { client }: RunningProver, proofs: number): Promise<number> {
  const depth = stack.backend.parallel + WAITING;
  const offer = await client.offer("eip155:8453");
  // Wallets are funded first, so that the chain has nothing else to do.
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
      if (status !== 202) throw new Error(`the prover responded with ${status} ${error?.error}`);
      const last = (await client.events(jobToken)).at(-1);
      if (last?.name !== "done") throw new Error(`a job ended as ${last?.name}`);
      ends.push(performance.now());
      // The first proof of each buyer fills the queue and is not measured; the clock stops before the queue empties.
      if (ends.length >= depth + proofs) enough = true;
    }
  };
  await Promise.all(Array.from({ length: depth }, buyer));
  const [from = 0, to = 0] = [ends[depth - 1], ends[depth + proofs - 1]];
  return (to - from) / proofs;
}

async function benchRefusals({ client }: RunningProver): Promise<Row[]> {
  const input = (json: string) => Buffer.from(`{"circuit":"${circuit}","inputs":{"jwt":${json}}}`);
  const bodies = {
    "a body of 64 MB": Buffer.alloc(64 * 1024 * 1024, " "),
    "JSON nested 100,000 deep": input("[".repeat(100_000) + "]".repeat(100_000)),
    "a list of a million entries": input(`[${"1,".repeat(999_999)}1]`),
    "JSON nested as deep as a body allows": input("[".repeat(30_000) + "]".repeat(30_000)),
    "a list as long as a body allows": input(`[${"1,".repeat(30_000)}1]`),
  };
  const rows: Row[] = [];
  for (const [name, body] of Object.entries(bodies)) {
    for (const framing of ["length", "chunked"] as const) {
      const times: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const { status, answeredMs } = await sendRaw(client.url, body, framing);
        if (status !== 413 && status !== 400) throw new Error(`${name} got status ${status}`);
        times.push(answeredMs);
      }
      rows.push({
        name: `refused: ${name} (${framing}), median of ${ROUNDS}`,
        value: median(times),
        unit: "ms",
        limit: { most: MAX_REFUSAL_MS },
      });
    }
  }
  return rows;
}

/** Maximum time of a paid proof under unpaid requests, as a multiple of its time alone. */
const MAX_UNPAID_RATIO = 1.2;
const PER_SECOND = 20;
const ADDRESSES = 50;
/** Rounds of idle and load alternate, so that other load affects both. */
const UNPAID_TURNS = 3;

/** Measures a paid proof, from request to response, alone and while others request prices and send worthless payments. */
async function benchUnpaid(stack: Stack, proofs: number): Promise<Row[]> {
  const running = await stack.start({ trustedProxies: 1, syncLimitMs: 600_000 });
  const requests = await worthless(stack, running);
  // The first proof of a process loads code and keys.
  await paidMs(stack, running);
  const alone: number[] = [];
  const underLoad: number[] = [];
  const each = Math.ceil(proofs / UNPAID_TURNS);
  for (let turn = 0; turn < UNPAID_TURNS; turn += 1) {
    for (let i = 0; i < each; i += 1) alone.push(await paidMs(stack, running));
    const stop = startLoad(running, requests);
    for (let i = 0; i < each; i += 1) underLoad.push(await paidMs(stack, running));
    await stop();
  }
  const load = `under ${PER_SECOND} unpaid requests a second from ${ADDRESSES} addresses`;
  return [
    { name: "a paid proof alone, median", value: median(alone), unit: "ms" },
    { name: `a paid proof ${load}, median`, value: median(underLoad), unit: "ms" },
    {
      name: "a paid proof: under unpaid requests / alone",
      value: median(underLoad) / median(alone),
      unit: "ratio",
      limit: { most: MAX_UNPAID_RATIO },
    },
  ];
}

async function paidMs({ payer, inputs }: Stack, { client }: RunningProver): Promise<number> {
  const { header } = await (await payer()).sign(await client.offer("eip155:8453"));
  const begun = performance.now();
  const { status, error } = await client.buy(inputs, header, { "x-forwarded-for": "198.51.100.1" });
  if (status !== 200) throw new Error(`the prover responded with ${status} ${error?.reason}`);
  return performance.now() - begun;
}

/** Returns requests that cost us work and pay nothing: a price, and a payment for every reason of a late refusal. */
async function worthless(stack: Stack, { client }: RunningProver) {
  const offer = await client.offer("eip155:8453");
  const [poor, other] = [await stack.payer(0n), await stack.payer(0n)];
  const spent = await stack.payer(price * 2n);
  const { header: used, signed } = await spent.sign(offer);
  const elsewhere = { nonce: signed.authorization.nonce, to: other.address };
  await stack.main.submit((await spent.sign(offer, elsewhere)).signed);
  const paying = [
    (await spent.sign(offer, { signature: `0x${"11".repeat(64)}1b` })).header,
    (await spent.sign(offer, { validBefore: 1 })).header,
    (await poor.sign(offer)).header,
    used,
  ];
  const bodies = [
    { circuit: client.asks },
    ...paying.map(() => ({ circuit: client.asks, inputs: stack.inputs })),
  ];
  return bodies.map((body, i) => {
    const header = paying[i - 1];
    const headers: Record<string, string> = header ? { "PAYMENT-SIGNATURE": header } : {};
    return { body, headers };
  });
}

/** Starts the load. @returns a function that stops it, and throws if any response was not 402 */
function startLoad({ client }: RunningProver, requests: Awaited<ReturnType<typeof worthless>>) {
  const answers: Promise<number>[] = [];
  const timer = setInterval(() => {
    const request = requests[answers.length % requests.length];
    if (!request) return;
    const from = { "x-forwarded-for": `192.0.2.${answers.length % ADDRESSES}` };
    answers.push(client.post(request.body, { ...request.headers, ...from }).then(({ status }) => status));
  }, 1000 / PER_SECOND);
  return async () => {
    clearInterval(timer);
    const unlike = (await Promise.all(answers)).filter((status) => status !== 402);
    if (unlike.length > 0) throw new Error(`unpaid requests got status ${unlike.join(", ")}`);
  };
}
