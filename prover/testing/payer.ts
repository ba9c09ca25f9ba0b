import { randomBytes } from "node:crypto";
import { type Address, getAddress, type Hex, toHex } from "viem";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { encodeHeader, type PaymentRequirements } from "@/lib/proofs/wire";
import type { SignedAuthorization } from "./chain";

/** A wallet that pays, written from the x402 and EIP-3009 texts and not from our code. */
export interface Payer {
  account: PrivateKeyAccount;
  /** Who pays: the account, or the contract wallet it owns. */
  address: Address;
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
  /** Of the extension "payment-identifier". */
  identifier?: unknown;
}

/** @param wallet a contract wallet for which the account signs, and how its signatures are written */
export function createPayer(
  account: PrivateKeyAccount = privateKeyToAccount(generatePrivateKey()),
  wallet?: { address: Address; written: (signature: Hex) => Hex },
): Payer {
  const address = wallet?.address ?? account.address;
  return {
    account,
    address,
    async sign(offer, changes = {}) {
      const now = Math.floor(Date.now() / 1000);
      const network = changes.network ?? offer.network;
      const asset = changes.asset ?? getAddress(offer.asset);
      const authorization = {
        from: address,
        to: changes.to ?? offer.payTo,
        value: changes.value ?? offer.amount,
        validAfter: String(changes.validAfter ?? now - 600),
        validBefore: String(changes.validBefore ?? now + offer.maxTimeoutSeconds),
        nonce: changes.nonce ?? toHex(randomBytes(32)),
      };
      const byKey =
        changes.signature ??
        (await account.signTypedData({
          domain: {
            ...offer.extra,
            name: offer.extra.name,
            version: offer.extra.version,
            chainId: Number(network.slice("eip155:".length)),
            verifyingContract: changes.asset ?? getAddress(offer.eip712_domain.verifyingContract),
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
      const signature = wallet && !changes.signature ? wallet.written(byKey) : byKey;
      const signed = { signature, authorization };
      const accepted = { ...offer, network, asset };
      const { identifier: id } = changes;
      const extensions =
        id === undefined ? undefined : { "payment-identifier": { info: { required: false, id } } };
      return { header: encodeHeader({ x402Version: 2, accepted, payload: signed, extensions }), signed };
    },
  };
}
