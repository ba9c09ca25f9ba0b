import { type BenchRow, median } from "@/prover/barretenberg";
import { price, type RunningProver, type Stack } from "@/prover/testing/stack";

/** Longest a paid proof may take while others send requests that pay nothing, as a multiple of its time alone. */
export const MAX_UNPAID_RATIO = 1.2;
const PER_SECOND = 20;
const ADDRESSES = 50;
/** Quiet and load take turns, so that whatever else the machine does hits both. */
const TURNS = 3;

/** What a paid proof takes, from request to answer, alone and while others ask prices and send payments worth nothing. */
export async function benchUnpaid(stack: Stack, proofs: number): Promise<BenchRow[]> {
  const running = await stack.start({ trustedProxies: 1, syncLimitMs: 600_000 });
  const requests = await worthless(stack, running);
  // The first proof of a process loads what later ones have.
  await paidMs(stack, running);
  const alone: number[] = [];
  const underLoad: number[] = [];
  const each = Math.ceil(proofs / TURNS);
  for (let turn = 0; turn < TURNS; turn += 1) {
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
    },
  ];
}

async function paidMs({ payer, inputs }: Stack, { client }: RunningProver): Promise<number> {
  const { header } = await (await payer()).sign(await client.offer("eip155:8453"));
  const begun = performance.now();
  const { status, error } = await client.buy(inputs, header, { "x-forwarded-for": "198.51.100.1" });
  if (status !== 200) throw new Error(`the prover answered ${status} ${error?.reason}`);
  return performance.now() - begun;
}

/** The requests that cost us something and pay nothing: a price, and a payment for every reason it is refused late. */
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

/** @returns stops it, and throws if anything was answered with other than 402 */
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
    if (unlike.length > 0) throw new Error(`unpaid requests were answered with ${unlike.join(", ")}`);
  };
}
