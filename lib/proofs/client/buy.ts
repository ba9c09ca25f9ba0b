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
  /** Base URL of the prover. */
  proverUrl: string;
  circuit: CircuitId;
  /** Stores the signed payment. */
  store: PaymentStore;
  /** The caller's name for this proof. One key never pays twice. */
  jobKey: string;
  /** Stops waiting; the payment stays stored, and the next call resumes. */
  signal?: AbortSignal;
  /** Milliseconds for all retries together; default 10 minutes. */
  timeoutMs?: number;
  fetch?: typeof fetch;
  /**
   * The trace that this purchase belongs to (W3C Trace Context), for the installation's own prover. Provers of others may not
   * allow the header.
   */
  traceparent?: string;
};

export type BuyProofRequest = Common &
  Omit<OfferRules, "maxAmount"> & {
    /** Atomic units; default `DEFAULT_MAX_AMOUNT`. */
    maxAmount?: bigint;
    /** Wire inputs of the circuit; see wire.ts. */
    inputs: Record<string, unknown>;
    wallet: PayingWallet;
    /**
     * Sends a stored payment with these inputs although it was signed for others, which are lost. Applies only to a
     * payment that no prover confirmed. A prover that has it for other inputs answers PAYMENT_ALREADY_USED for free.
     */
    forNewInputs?: boolean;
  };

/** Running calls of this process: callers of the same job share one. */
const running = new WeakMap<PaymentStore, Map<string, Promise<ProveResult>>>();

/**
 * Buys one proof: price, one signature, payment, progress, checked result. Signs at most once per `jobKey` in the
 * lifetime of its store, whatever fails in between; another call resumes where it stopped.
 * @throws BuyProofError, ProverError, ProofInputError, the wallet's error if signing is declined, or the signal's
 * reason. After any of them the signed payment is still in the store.
 */
export function buyProof(request: BuyProofRequest): Promise<ProveResult> {
  const { jobKey, store, inputs, circuit } = request;
  const hash = requestHash(circuit, inputs);
  const getRecord = async (connection: ProverConnection) => {
    const { record: stored, reused } = await paymentOf(request, connection, hash);
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
    return record;
  };
  return shared(store, `${jobKey} ${hash}`, () => run(request, inputs, getRecord));
}

/**
 * Resumes a paid job after a reload that lost its inputs (identity tokens are not stored).
 * @throws BuyProofError NOTHING_TO_RESUME, or INPUTS_NEEDED if the prover needs the inputs again; otherwise as
 * `buyProof`.
 */
export async function resumeProof(request: Common): Promise<ProveResult> {
  const record = await request.store.get(request.jobKey);
  if (!record || record.circuit !== request.circuit) {
    throw new BuyProofError("NOTHING_TO_RESUME", "no payment is stored under this job key");
  }
  return run(request, null, async () => record);
}

function shared(store: PaymentStore, key: string, start: () => Promise<ProveResult>): Promise<ProveResult> {
  const jobs = running.get(store) ?? new Map<string, Promise<ProveResult>>();
  running.set(store, jobs);
  const same = jobs.get(key);
  if (same) return same;
  const started = start().finally(() => jobs.delete(key));
  jobs.set(key, started);
  return started;
}

/** Returns this job's stored payment, or signs and stores a new one before it can be sent. */
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
    // If the store cannot lock out another tab, that tab's payment wins and this signature is never sent.
    const first = await store.get(jobKey);
    if (first) return { record: first, reused: true };
    await store.set(jobKey, record);
    return { record, reused: false };
  });
}

/** Delivers the job of a payment within the request's time limit. */
async function run(
  request: Common,
  inputs: Record<string, unknown> | null,
  getRecord: (connection: ProverConnection) => Promise<PaymentRecord>,
): Promise<ProveResult> {
  const timeout = AbortSignal.timeout(request.timeoutMs ?? DEFAULT_TIMEOUT_MS);
  const connection: ProverConnection = {
    proverUrl: request.proverUrl.replace(/\/+$/, ""),
    // A browser's fetch throws if it is called unbound.
    fetch: request.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    signal: request.signal ? AbortSignal.any([request.signal, timeout]) : timeout,
    traceparent: request.traceparent,
  };
  try {
    return await deliver(request, connection, await getRecord(connection), inputs);
  } catch (error) {
    if (!timeout.aborted || request.signal?.aborted) throw error;
    throw new BuyProofError("TIMEOUT", "the proof took too long; try again to resume", { cause: error });
  }
}

/** Deletes the payment of a job whose proof is no longer needed, or that can no longer be settled. */
export function forgetPayment(store: PaymentStore, jobKey: string): Promise<void> {
  return store.delete(jobKey);
}
