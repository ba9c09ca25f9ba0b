import type { Hex } from "viem";
import { hex32Schema } from "@/lib/proofs/hex";
import { headers } from "@/lib/proofs/wire";
import { type PaymentRequest, readNetwork, readPaymentHeader } from "../payment/payment";
import { ProverRefusal } from "../refusal";

/** How a request says that it pays. */
export interface PaymentHeaders {
  payment: PaymentRequest;
  /** Binds the payment to a challenge; always there with a payment by transaction. */
  nonce?: Hex;
}

/**
 * Reads PAYMENT-SIGNATURE, X-Payment-TX, X-Payment-Network and X-Payment-Nonce.
 * @param header value of a header by name
 * @param firstTransactionNetwork where a transaction is looked for when no network is named
 * @returns undefined when the request asks the price only
 * @throws ProverRefusal 400 INVALID_REQUEST, MISSING_NONCE or INVALID_NONCE, naming the header
 */
export function readPaymentHeaders(
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
    return { payment: { kind: "authorization", payload }, nonce: readNonce(header(headers.paymentNonce)) };
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
    throw new ProverRefusal(400, "MISSING_NONCE", "a payment by transaction needs the challenge's nonce", {
      field: headers.paymentNonce,
    });
  }
  return { payment: { kind: "transaction", network, hash: transaction.data, nonce }, nonce };
}

function readNonce(header: string | undefined): Hex | undefined {
  if (header === undefined) return undefined;
  const nonce = hex32Schema.safeParse(header);
  if (nonce.success) return nonce.data;
  throw new ProverRefusal(400, "INVALID_NONCE", "the nonce must be 32 bytes of hex", {
    field: headers.paymentNonce,
  });
}

const malformed = (message: string, field: string) =>
  new ProverRefusal(400, "INVALID_REQUEST", message, { field });
