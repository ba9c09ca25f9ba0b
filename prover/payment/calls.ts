import { encodeFunctionData, type Hex, parseErc6492Signature, parseSignature } from "viem";
import type { AuthorizedPayment } from "./payment";
import { tokenAbi } from "./token-abi";

/** Bytes of a signature that a key makes: r, s, v. */
const keySignatureHexLength = 2 + 65 * 2;

/** Gas of a wallet's own check of its signature (ERC-1271), which its owner writes and we pay for. */
export const walletGas = 100_000n;

/** A transfer takes 65,000; the rest is for a contract wallet's check. */
export const settlementGasLimit = 90_000n + walletGas;

/** Whether a signature can be that of a key; anything else is for the payer's contract. */
export function isKeySignature(signature: Hex): boolean {
  return signature.length === keySignatureHexLength;
}

/** The signature inside an ERC-6492 wrapping, which tells how to deploy its wallet; any other as it is. */
export function unwrapped(signature: Hex): Hex {
  try {
    return parseErc6492Signature(signature).signature;
  } catch {
    return signature;
  }
}

/**
 * Calldata of the transfer. Every EIP-3009 token knows the form with v, r and s; what a contract wallet signed has
 * no such parts and needs the form with bytes.
 * @param payerHasCode whether the payer is a contract
 */
export function transferCall(payment: AuthorizedPayment, payerHasCode: boolean): Hex {
  const { payer, payTo, amount, validAfter, validBefore, nonce, signature } = payment;
  const transfer = [payer, payTo, amount, validAfter, validBefore, nonce] as const;
  if (payerHasCode || !isKeySignature(signature)) {
    return encodeFunctionData({
      abi: tokenAbi,
      functionName: "transferWithAuthorization",
      args: [...transfer, unwrapped(signature)],
    });
  }
  const { r, s, yParity } = parseSignature(signature);
  return encodeFunctionData({
    abi: tokenAbi,
    functionName: "transferWithAuthorization",
    args: [...transfer, yParity + 27, r, s],
  });
}
