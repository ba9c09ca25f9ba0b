import type { Context } from "hono";
import pTimeout from "p-timeout";
import type { Hex } from "viem";
import type { CircuitId, PaymentOffer } from "@/lib/proofs/deployment";
import { hex32Schema } from "@/lib/proofs/hex";
import {
  encodeHeader,
  headers,
  type JobPayment,
  type Network,
  type ProveRequest,
  proveRequestSchema,
  type SettleResponse,
} from "@/lib/proofs/wire";
import type { InputOpener } from "../encryption";
import type { Admission } from "../jobs/admission";
import type { Finished, Job } from "../jobs/job";
import type { Presenter } from "../jobs/present";
import type { Observer } from "../observer";
import { IDENTIFIER_RULE, readIdentifier } from "../payment/identifier";
import { type PaymentRequest, readNetwork, readPaymentHeader } from "../payment/payment";
import { ProverRefusal, refusals } from "../refusal";
import { paymentEnd, type Seller, type Statement, settledExtensions } from "../seller/seller";
import { readJson } from "./body";
import type { Challenges } from "./challenge";
import type { Limits } from "./limits";

/** The payment in a request's headers. */
interface PaymentHeaders {
  payment: PaymentRequest;
  /** Binds the payment to a challenge; required for a payment by transaction. */
  nonce?: Hex;
}

/**
 * Reads PAYMENT-SIGNATURE, X-Payment-TX, X-Payment-Network and X-Payment-Nonce.
 * @param header returns a header's value by name
 * @param firstTransactionNetwork network of a transaction if the request names none
 * @returns undefined if the request only asks for the price
 * @throws ProverRefusal 400 INVALID_REQUEST, MISSING_NONCE or INVALID_NONCE, naming the header
 */
function readPaymentHeaders(
  header: (name: string) => string | undefined,
  firstTransactionNetwork: `eip155:${number}` | undefined,
): PaymentHeaders | undefined {
  const signature = header(headers.paymentSignature);
  const hash = header(headers.paymentTx);
  if (signature !== undefined && hash !== undefined) {
    throw malformed("pay with PAYMENT-SIGNATURE or with X-Payment-TX, not with both", headers.paymentTx);
  }
  if (signature !== undefined) {
    const payload = readPaymentHeader(signature);
    if (!payload) {
      throw malformed(
        "not an x402 v2 payment of scheme exact (EIP-3009) on an EVM chain",
        headers.paymentSignature,
      );
    }
    const identifier = readIdentifier(payload);
    if (identifier === null) throw malformed(IDENTIFIER_RULE, headers.paymentSignature);
    const nonce = readNonce(header(headers.paymentNonce));
    return { payment: { kind: "authorization", payload, identifier }, nonce };
  }
  if (hash === undefined) return undefined;
  if (!firstTransactionNetwork) {
    throw malformed("payment by transaction is not offered here", headers.paymentTx);
  }
  const transaction = hex32Schema.safeParse(hash);
  if (!transaction.success) {
    throw malformed("the transaction hash must be 32 bytes of 0x-prefixed hex", headers.paymentTx);
  }
  const named = header(headers.paymentNetwork);
  const network = named === undefined ? firstTransactionNetwork : readNetwork(named);
  if (!network) {
    throw malformed("the network must be a CAIP-2 name like eip155:8453", headers.paymentNetwork);
  }
  const nonce = readNonce(header(headers.paymentNonce));
  if (!nonce) {
    const message = "a payment by transaction needs the challenge's nonce";
    throw refusals.invalid("MISSING_NONCE", message, headers.paymentNonce);
  }
  return { payment: { kind: "transaction", network, hash: transaction.data, nonce }, nonce };
}

function readNonce(header: string | undefined): Hex | undefined {
  if (header === undefined) return undefined;
  const nonce = hex32Schema.safeParse(header);
  if (nonce.success) return nonce.data;
  throw refusals.invalid("INVALID_NONCE", "the nonce must be 32 bytes of hex", headers.paymentNonce);
}

const malformed = (message: string, field?: string) => refusals.invalid("INVALID_REQUEST", message, field);

export interface ProveDependencies {
  offered: readonly CircuitId[];
  offers: readonly PaymentOffer[];
  challenges: Challenges;
  admission: Admission;
  presenter: Presenter;
  inputs: InputOpener;
  limits: Limits;
  seller: Pick<Seller, "statement">;
  /** How long a request waits for its proof before it gets the job's address. */
  syncLimitMs: number;
  /** Aborts when the program takes no new work and nobody should wait here any more. */
  closing: AbortSignal;
  observer: Observer;
}

/** POST /api/v1/prove: returns the price without a payment, a proof with one. */
export function proveHandler(deps: ProveDependencies) {
  const transactionNetwork = deps.offers.find((offer) => offer.transactions)?.network;
  return async (c: Context): Promise<Response> => {
    const request = readProveRequest(await readJson(c), deps.offered);
    const { circuit } = request;
    const paying = readPaymentHeaders((name) => c.req.header(name), transactionNetwork);
    if (!paying) {
      await deps.limits.challenge(c);
      return await deps.challenges.create(circuit);
    }
    if (!request.inputs) {
      throw refusals.invalid("INVALID_INPUTS", "a paid request needs inputs", "inputs");
    }
    const inputs = await deps.inputs.open(circuit, request.inputs);
    const attempt = deps.limits.attempts(c);

    try {
      const admitted = await deps.admission.admit({ circuit, inputs, attempt, ...paying });
      if ("proven" in admitted) {
        const { proven, token } = admitted;
        const end = { status: "done" as const, ...deps.presenter.delivered(proven, token) };
        return await finished(deps, hex32Schema.parse(proven.id), end);
      }
      const wait = prefersAsync(c.req.header("prefer")) ? 0 : deps.syncLimitMs;
      const end = await within(admitted.job, wait, deps.closing);
      if (!end) return accepted(admitted.job);
      if (end.status === "failed" && end.refusal.status === 402) {
        const { code, details } = end.refusal;
        deps.observer.refused(code, details.reason);
        const response = await deps.challenges.create(circuit, end.refusal);
        // Also said where stock clients look for the outcome of a settlement.
        const network = networkOf(paying.payment);
        const outcome = { success: false, errorReason: details.reason, transaction: "", network };
        response.headers.set(headers.paymentResponse, encodeHeader(outcome satisfies SettleResponse));
        return response;
      }
      return await finished(deps, admitted.job.paymentId, end);
    } catch (error) {
      if (!(error instanceof ProverRefusal) || error.status !== 402) throw error;
      deps.observer.refused(error.code, error.details.reason);
      return await deps.challenges.create(circuit, error);
    }
  };
}

function networkOf(payment: PaymentRequest): Network {
  return payment.kind === "transaction" ? payment.network : payment.payload.accepted.network;
}

/** RFC 7240: preferences are a comma-separated list of tokens with optional parameters. */
function prefersAsync(prefer: string | undefined): boolean {
  return (prefer ?? "")
    .split(",")
    .some((each) => each.split(";")[0]?.trim().toLowerCase() === "respond-async");
}

/** Waits for a job's end; undefined when that takes longer, or the program closes first. */
async function within(
  { finished }: Job,
  milliseconds: number,
  signal: AbortSignal,
): Promise<Finished | undefined> {
  if (milliseconds === 0) return undefined;
  return await pTimeout(finished, { milliseconds, fallback: () => undefined, signal }).catch(
    (error: unknown) => {
      if (signal.aborted) return undefined;
      throw error;
    },
  );
}

function accepted(job: Job): Response {
  return Response.json(
    { jobToken: job.token },
    {
      status: 202,
      headers: {
        location: `/api/v1/jobs/${job.token}`,
        "cache-control": "no-store",
        ...paymentResponse(job.view().payment),
      },
    },
  );
}

/** A failure after settlement carries PAYMENT-RESPONSE too: the client must know that it paid. */
async function finished(
  { presenter, seller }: ProveDependencies,
  paymentId: Hex,
  end: Finished,
): Promise<Response> {
  const { status, payment } = end;
  const reason = end.status === "failed" ? end.refusal.details.reason : undefined;
  const statement = await seller.statement(payment, paymentEnd(status, reason));
  const common = { "cache-control": "no-store", ...paymentResponse(payment, statement) };
  if (end.status === "done") {
    if (!(await presenter.payments.markDelivered(paymentId))) throw refusals.proveFailed(true);
    return Response.json(end.result, { headers: common });
  }
  const { retryAfter } = end.refusal.details;
  return Response.json(end.refusal.body(), {
    status: end.refusal.status,
    headers: { ...common, ...(retryAfter ? { "retry-after": String(retryAfter) } : {}) },
  });
}

function paymentResponse(payment: JobPayment | undefined, statement: Statement = {}): Record<string, string> {
  if (!payment) return {};
  const response: SettleResponse = { success: true, ...payment, extensions: settledExtensions(statement) };
  return { [headers.paymentResponse]: encodeHeader(response) };
}

/**
 * Reads the body of POST /api/v1/prove.
 * @throws ProverRefusal INVALID_CIRCUIT with the list of ids, INVALID_REQUEST or INVALID_INPUTS with the field
 */
function readProveRequest(body: unknown, offered: readonly CircuitId[]): ProveRequest {
  const parsed = proveRequestSchema.safeParse(body);
  if (parsed.success && offered.includes(parsed.data.circuit)) return parsed.data;
  const field = parsed.success ? "circuit" : parsed.error.issues[0]?.path[0]?.toString();
  if (field === "circuit") {
    throw refusals.invalid("INVALID_CIRCUIT", `circuit must be one of: ${offered.join(", ")}`, field);
  }
  if (field === "inputs") throw refusals.invalid("INVALID_INPUTS", "inputs must be an object", field);
  throw malformed("the body must be a JSON object with circuit and inputs", field);
}
