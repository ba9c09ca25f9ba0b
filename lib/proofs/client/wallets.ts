import type { Address, Hex } from "viem";
import type { Action } from "../attestation/action";
import type { transferTypes } from "../eip3009";

/**
 * The two wallets of a purchase. Each is made from a signer by naming its role, and neither type is assignable to the
 * other: the one with the attestation can never slip in as the payer, nor the payer sign a statement.
 */

export type TransferTypedData = {
  domain: { name: string; version: string; chainId: number; verifyingContract: Address };
  types: typeof transferTypes;
  primaryType: "TransferWithAuthorization";
  message: { from: Address; to: Address; value: bigint; validAfter: bigint; validBefore: bigint; nonce: Hex };
};

/** What can sign a payment: a viem account, `remoteSigner`, or wagmi's `{address, signTypedData}`. */
export type PaymentSigner = { address: Address; signTypedData(data: TransferTypedData): Promise<Hex> };

/** What can sign a statement: a viem account, or wagmi's signMessage and signTypedData. */
export type StatementSigner = {
  address: Address;
  /** personal_sign over the raw bytes. */
  signMessage(request: { message: { raw: Hex } }): Promise<Hex>;
  signTypedData(action: Action): Promise<Hex>;
};

/** The wallet that pays. It signs nothing else. */
export type PayingWallet = PaymentSigner & { readonly role: "payment" };

/** The wallet that holds the attestation. It never pays. */
export type AttestationWallet = StatementSigner & { readonly role: "attestation" };

/** Chooses a signer to pay with. */
export function payingWallet(signer: PaymentSigner): PayingWallet {
  return {
    role: "payment",
    address: signer.address,
    signTypedData: (data) => signer.signTypedData(data),
  };
}

/** Chooses a signer whose attestation is proven. */
export function attestationWallet(signer: StatementSigner): AttestationWallet {
  return {
    role: "attestation",
    address: signer.address,
    signMessage: (request) => signer.signMessage(request),
    signTypedData: (action) => signer.signTypedData(action),
  };
}
