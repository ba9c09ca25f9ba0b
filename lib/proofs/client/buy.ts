import type { CircuitId } from "../deployment";
import type { ProveResult } from "../wire";
import { type Delivery, deliver } from "./deliver";
import { BuyProofError } from "./errors";
import { checkInputs, requestHash } from "./expect";
import { type ProverConnection, requestPrice } from "./http";
import { chooseOffer, type OfferRules, signPayment } from "./payment";
import type { PaymentRecord, PaymentStore } from "./stores";
import type { PayingWallet } from "./wallets";

/** 0.10 USD in atomic units of a 6-decimal token. */
const DEFAULT_MAX_AMOUNT = 100_000n;
const DEFAULT_TIMEOUT_MS = 10 * 60 * 1000;

type Common = Delivery & {
  /** Base URL without trailing slash. */
  proverUrl: string;
  circuit: CircuitId;
  /** Where the signed payment is kept. */
  store: PaymentStore;
  /** The caller's name for this one wanted proof. One key never pays twice. */
  jobKey: string;
  /** Stops waiting; what is paid stays stored and continues with the next call. */
  signal?: AbortSignal;
  /** Milliseconds over all retries; default 10 minutes. */
  timeoutMs?: number;
  fetch?: typeof fetch;
};

export type BuyProofRequest = Common &
  Omit<OfferRules, "maxAmount"> & {
    /** Atomic units; default `DEFAULT_MAX_AMOUNT`. */
    maxAmount?: bigint;
    /** Wire inputs of the circuit, see wire.ts. */
    inputs: Record<string, unknown>;
    wallet: PayingWallet;
    /**
     * Sends a stored payment with these inputs although it was signed for others, which are lost. Only one that no
     * prover has confirmed; a prover that has it for the others refuses with PAYMENT_ALREADY_USED, and charges nothing.
     */
    forNewInputs?: boolean;
  };

/** Calls under way in this process, so that two callers of one job share it. */
const underWay = new WeakMap<PaymentStore, Map<string, Promise<ProveResult>>>();

/**
 * Buys one proof: price, one signature, payment, progress, checked result. Signs at most once per `jobKey`
 * in the life of its store, whatever fails in between; calling again continues where it stopped.
 * @throws BuyProofError, ProverError, ProofInputError, whatever the wallet throws when signing is declined,
 * or the signal's reason. After any of them nothing is lost: the signed payment is in the store.
 */
export function buyProof(request: BuyProofRequest): Promise<ProveResult> {
  const { jobKey, store, inputs, circuit } = request;
  const hash = requestHash(circuit, inputs);
  return shared(store, `${jobKey} ${hash}`, async () => {
    const run = start(request);
    return run.guard(async () => {
      const { record: stored, reused } = await paymentOf(request, run.connection, hash);
      let record = stored;
      if (record.requestHash !== hash && request.forNewInputs && record.jobToken === null) {
        record = { ...record, requestHash: hash };
        await store.set(jobKey, record);
      }
      if (record.requestHash !== hash) {
        throw new BuyProofError("JOB_KEY_REUSED", "this job key already paid for other inputs");
      }
      const { payer, network, amount } = record;
      request.onProgress?.({ stage: "payment", payer, network, amount, reused });
      return run.deliver(record, inputs);
    });
  });
}

/**
 * Continues a paid job after a reload that lost its inputs (an identity token is not kept).
 * @throws BuyProofError NOTHING_TO_RESUME, or INPUTS_NEEDED when the prover needs the request again; else
 * as `buyProof`.
 */
export async function resumeProof(request: Common): Promise<ProveResult> {
  const record = await request.store.get(request.jobKey);
  if (!record || record.circuit !== request.circuit) {
    throw new BuyProofError("NOTHING_TO_RESUME", "no payment is stored under this job key");
  }
  const run = start(request);
  return run.guard(() => run.deliver(record, null));
}

function shared(store: PaymentStore, key: string, run: () => Promise<ProveResult>): Promise<ProveResult> {
  const jobs = underWay.get(store) ?? new Map<string, Promise<ProveResult>>();
  underWay.set(store, jobs);
  const running = jobs.get(key);
  if (running) return running;
  const started = run().finally(() => jobs.delete(key));
  jobs.set(key, started);
  return started;
}

/** The stored payment of this job, or a new one: signed, then stored, and only then returned to be sent. */
async function paymentOf(
  request: BuyProofRequest,
  connection: ProverConnection,
  hash: PaymentRecord["requestHash"],
): Promise<{ record: PaymentRecord; reused: boolean }> {
  const { circuit, store, jobKey, wallet, inputs } = request;
  return store.exclusive(jobKey, async () => {
    const stored = await store.get(jobKey);
    if (stored) return { record: stored, reused: true };
    checkInputs(circuit, inputs);
    const challenge = await requestPrice(connection, circuit);
    const offer = chooseOffer(challenge.accepts, {
      ...request,
      maxAmount: request.maxAmount ?? DEFAULT_MAX_AMOUNT,
    });
    const { amount, network, asset, payTo } = offer;
    request.onProgress?.({ stage: "price", amount, network, asset, payTo });
    const signed = await signPayment(wallet, offer, challenge.resource, Math.floor(Date.now() / 1000));
    const record: PaymentRecord = {
      circuit,
      ...signed,
      paymentNonce: challenge.nonce,
      requestHash: hash,
      encryptionKey: challenge.encryptionKey,
      network,
      payer: wallet.address,
      amount,
      jobToken: null,
    };
    // Where the store cannot lock out another tab, its payment stands and this signature is never sent.
    const first = await store.get(jobKey);
    if (first) return { record: first, reused: true };
    await store.set(jobKey, record);
    return { record, reused: false };
  });
}

/** One run over a stored payment, within its time limit. */
function start(request: Common) {
  const timeout = AbortSignal.timeout(request.timeoutMs ?? DEFAULT_TIMEOUT_MS);
  const connection: ProverConnection = {
    proverUrl: request.proverUrl.replace(/\/+$/, ""),
    // Unbound, a browser's fetch refuses to run.
    fetch: request.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    signal: request.signal ? AbortSignal.any([request.signal, timeout]) : timeout,
  };
  const guard = async <T>(run: () => Promise<T>): Promise<T> => {
    try {
      return await run();
    } catch (error) {
      if (!timeout.aborted || request.signal?.aborted) throw error;
      throw new BuyProofError("TIMEOUT", "the proof is not done in time; try again to continue", {
        cause: error,
      });
    }
  };
  return {
    connection,
    guard,
    deliver: (record: PaymentRecord, inputs: Record<string, unknown> | null) =>
      deliver(request, connection, record, inputs),
  };
}

/** Forgets the payment of a job whose proof is no longer needed, or that can no longer be settled. */
export function forgetPayment(store: PaymentStore, jobKey: string): Promise<void> {
  return store.delete(jobKey);
}
