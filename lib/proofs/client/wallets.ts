import type { Address, Hex } from "viem";
import type { Action } from "../attestation/action";
import type { transferTypes } from "../wire";

/**
 * The two wallets of a purchase, each made from a signer by naming its role. Neither type is assignable to the other, so
 * the wallet with the attestation can never pay by mistake, and the payer can never sign a statement.
 */

export type TransferTypedData = {
  domain: { name: string; version: string; chainId: number; verifyingContract: Address };
  types: typeof transferTypes;
  primaryType: "TransferWithAuthorization";
  message: { from: Address; to: Address; value: bigint; validAfter: bigint; validBefore: bigint; nonce: Hex };
};

/** Signs payments: a viem account, `remoteSigner`, or wagmi's `{address, signTypedData}`. */
export type PaymentSigner = { address: Address; signTypedData(data: TransferTypedData): Promise<Hex> };

/** Signs statements: a viem account, or wagmi's signMessage and signTypedData. */
type StatementSigner = {
  address: Address;
  /** personal_sign over the raw bytes. */
  signMessage(request: { message: { raw: Hex } }): Promise<Hex>;
  signTypedData(action: Action): Promise<Hex>;
};

/** The wallet that pays. It signs nothing else. */
export type PayingWallet = PaymentSigner & { readonly role: "payment" };

/** The wallet that holds the attestation. It never pays. */
export type AttestationWallet = StatementSigner & { readonly role: "attestation" };

/** Gives a signer the role of paying. */
export function payingWallet(signer: PaymentSigner): PayingWallet {
  return {
    role: "payment",
    address: signer.address,
    signTypedData: (data) => signer.signTypedData(data),
  };
}

/** Gives a signer the role of holding the attestation. */
export function attestationWallet(signer: StatementSigner): AttestationWallet {
  return {
    role: "attestation",
    address: signer.address,
    signMessage: (request) => signer.signMessage(request),
    signTypedData: (action) => signer.signTypedData(action),
  };
}
