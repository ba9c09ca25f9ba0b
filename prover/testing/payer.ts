import { randomBytes } from "node:crypto";
import { type Address, getAddress, type Hex, toHex } from "viem";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { encodeHeader, type PaymentRequirements } from "@/lib/proofs/wire";
import type { SignedAuthorization } from "./chain";

/** A wallet that pays, written from the x402 and EIP-3009 texts and not from our code. */
export interface Payer {
  account: PrivateKeyAccount;
  /** Signs for an offer; `changes` make the payment wrong in one way. */
  sign(offer: PaymentRequirements, changes?: Changes): Promise<SignedPayment>;
}

export interface SignedPayment {
  /** PAYMENT-SIGNATURE */
  header: string;
  signed: SignedAuthorization;
}

export interface Changes {
  to?: Address;
  value?: string;
  validAfter?: number;
  validBefore?: number;
  /** The chain and token that are signed for, and said to be paid on. */
  network?: `eip155:${number}`;
  asset?: Address;
  /** Replaces the signature. */
  signature?: Hex;
  nonce?: Hex;
}

export function createPayer(): Payer {
  const account = privateKeyToAccount(generatePrivateKey());
  return {
    account,
    async sign(offer, changes = {}) {
      const now = Math.floor(Date.now() / 1000);
      const network = changes.network ?? offer.network;
      const asset = changes.asset ?? getAddress(offer.asset);
      const authorization = {
        from: account.address,
        to: changes.to ?? offer.payTo,
        value: changes.value ?? offer.amount,
        validAfter: String(changes.validAfter ?? now - 600),
        validBefore: String(changes.validBefore ?? now + offer.maxTimeoutSeconds),
        nonce: changes.nonce ?? toHex(randomBytes(32)),
      };
      const signature =
        changes.signature ??
        (await account.signTypedData({
          domain: {
            ...offer.extra,
            name: offer.extra.name,
            version: offer.extra.version,
            chainId: Number(network.slice("eip155:".length)),
            verifyingContract: asset,
          },
          types: {
            TransferWithAuthorization: [
              { name: "from", type: "address" },
              { name: "to", type: "address" },
              { name: "value", type: "uint256" },
              { name: "validAfter", type: "uint256" },
              { name: "validBefore", type: "uint256" },
              { name: "nonce", type: "bytes32" },
            ],
          },
          primaryType: "TransferWithAuthorization",
          message: {
            ...authorization,
            value: BigInt(authorization.value),
            validAfter: BigInt(authorization.validAfter),
            validBefore: BigInt(authorization.validBefore),
          },
        }));
      const signed = { signature, authorization };
      const accepted = { ...offer, network, asset };
      return { header: encodeHeader({ x402Version: 2, accepted, payload: signed }), signed };
    },
  };
}
