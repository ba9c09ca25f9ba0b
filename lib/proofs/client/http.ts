import { z } from "zod";
import type { CircuitId } from "../deployment";
import { sealingPublicKeySchema } from "../sealing";
import {
  decodeHeader,
  headers,
  type JobPayment,
  jobAcceptedSchema,
  type ProveResult,
  paymentRequiredSchema,
  proveResultSchema,
  proverErrorBodySchema,
  settleResponseSchema,
} from "../wire";
import { BuyProofError, ProverError } from "./errors";

/** A connection to one prover. */
export type ProverConnection = {
  proverUrl: string;
  fetch: typeof fetch;
  signal: AbortSignal | undefined;
  /** The trace that the requests belong to. */
  traceparent?: string | undefined;
};

/** Leaves the offers unparsed, so that an unknown one does not invalidate the others. */
const challengeSchema = paymentRequiredSchema.extend({ accepts: z.array(z.unknown()) });
const teeSchema = z.object({ teePublicKey: sealingPublicKeySchema.nullish() });

/** Sends a request. @throws BuyProofError PROVER_UNREACHABLE on a network failure. */
export async function send(connection: ProverConnection, path: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  if (connection.traceparent) headers.set("traceparent", connection.traceparent);
  try {
    // A redirect would send an identity token and a payment elsewhere.
    return await connection.fetch(`${connection.proverUrl}${path}`, {
      ...init,
      headers,
      redirect: "error",
      signal: init.signal ?? connection.signal,
    });
  } catch (error) {
    connection.signal?.throwIfAborted();
    throw new BuyProofError("PROVER_UNREACHABLE", "the proof service is unreachable", { cause: error });
  }
}

/** Returns the JSON body; null if the connection broke or the body is not JSON. */
export function readJson(response: Response): Promise<unknown> {
  return response.json().catch(() => null);
}

/** Reads the error of an unsuccessful response. */
export async function readError(response: Response): Promise<ProverError> {
  const body = proverErrorBodySchema.safeParse(await readJson(response));
  const fallback = { error: "INTERNAL", message: `the proof service answered ${response.status}` };
  return new ProverError(response.status, body.success ? body.data : fallback, retryAfter(response));
}

function retryAfter(response: Response): number | null {
  const seconds = response.headers.get("retry-after");
  return seconds && /^[0-9]{1,6}$/.test(seconds) ? Number(seconds) * 1000 : null;
}

function postInit(body: unknown, extra: Record<string, string> = {}): RequestInit {
  return {
    method: "POST",
    headers: { "content-type": "application/json", ...extra },
    body: JSON.stringify(body),
  };
}

/**
 * Requests the current price of a proof of this circuit, and the key to encrypt inputs for; null if there is none.
 * @throws ProverError, BuyProofError PROVER_UNREACHABLE, BAD_ANSWER.
 */
export async function requestPrice(connection: ProverConnection, circuit: CircuitId) {
  const response = await send(connection, "/api/v1/prove", postInit({ circuit }));
  if (response.status !== 402) throw await readError(response);
  const body = await readJson(response);
  const fromBody = challengeSchema.safeParse(body);
  const challenge =
    decodeHeader(challengeSchema, response.headers.get(headers.paymentRequired)) ??
    (fromBody.success ? fromBody.data : null);
  if (!challenge) throw new BuyProofError("BAD_ANSWER", "the proof service's price is malformed");
  // A malformed key must not count as no key: the inputs would be sent unencrypted.
  const tee = teeSchema.safeParse(body);
  if (!tee.success) throw new BuyProofError("BAD_ANSWER", "the proof service's encryption key is malformed");
  const { accepts, nonce, resource } = challenge;
  return { accepts, nonce, resource, encryptionKey: tee.data.teePublicKey ?? null };
}

type PaidAnswer =
  | { kind: "result"; result: ProveResult; payment: JobPayment | null }
  | { kind: "accepted"; jobToken: string };

/**
 * Sends the paid request. Sending it again is always safe.
 * @param request `nonce` is the X-Payment-Nonce header, omitted if null.
 * @throws ProverError, BuyProofError PROVER_UNREACHABLE (also for an incomplete response) or BAD_ANSWER.
 */
export async function sendPaid(
  connection: ProverConnection,
  request: {
    circuit: CircuitId;
    inputs: Record<string, unknown>;
    paymentSignature: string;
    nonce: string | null;
  },
): Promise<PaidAnswer> {
  const { circuit, inputs, paymentSignature, nonce } = request;
  const extra: Record<string, string> = {
    [headers.paymentSignature]: paymentSignature,
    prefer: "respond-async",
  };
  if (nonce) extra[headers.paymentNonce] = nonce;
  const response = await send(connection, "/api/v1/prove", postInit({ circuit, inputs }, extra));
  if (response.status !== 200 && response.status !== 202) throw await readError(response);
  const body = await readJson(response);
  if (body === null) throw new BuyProofError("PROVER_UNREACHABLE", "the proof service's answer broke off");
  if (response.status === 202) {
    const accepted = jobAcceptedSchema.safeParse(body);
    if (accepted.success) return { kind: "accepted", jobToken: accepted.data.jobToken };
  } else {
    const result = proveResultSchema.safeParse(body);
    if (result.success) return { kind: "result", result: result.data, payment: readSettlement(response) };
  }
  throw new BuyProofError("BAD_ANSWER", "the proof service's answer is malformed");
}

function readSettlement(response: Response): JobPayment | null {
  const settled = decodeHeader(settleResponseSchema, response.headers.get(headers.paymentResponse));
  if (!settled?.success || !settled.payer) return null;
  const { network, transaction, payer, amount } = settled;
  return { network, transaction, payer, amount: amount ?? "0" };
}
