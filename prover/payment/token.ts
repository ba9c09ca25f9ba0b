import {
  encodeFunctionData,
  type Hex,
  isAddressEqual,
  type Log,
  parseAbi,
  parseErc6492Signature,
  parseEventLogs,
  parseSignature,
} from "viem";
import type { Authorized, AuthorizedPayment } from "./payment";

/** The part of an EIP-3009 token that payments use. */
export const tokenAbi = parseAbi([
  "function balanceOf(address account) view returns (uint256)",
  "function authorizationState(address authorizer, bytes32 nonce) view returns (bool)",
  "function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)",
  "function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)",
  "event Transfer(address indexed from, address indexed to, uint256 value)",
  "event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)",
  "event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)",
]);

/** The question a token asks a contract wallet (ERC-1271). */
export const walletAbi = parseAbi([
  "function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)",
]);

/** Bytes of a signature that a key makes: r, s, v. */
const keySignatureHexLength = 2 + 65 * 2;

/** Gas for a wallet's own signature check (ERC-1271): its owner writes the code, we pay for it. */
export const walletGas = 100_000n;

/** A transfer takes 65,000; the rest is for a contract wallet's check. */
export const settlementGasLimit = 90_000n + walletGas;

/** Whether a key can have made the signature; anything else is for the payer's contract. */
export function isKeySignature(signature: Hex): boolean {
  return signature.length === keySignatureHexLength;
}

/** Returns the signature inside an ERC-6492 wrapper, which says how to deploy its wallet; any other unchanged. */
export function unwrapped(signature: Hex): Hex {
  try {
    return parseErc6492Signature(signature).signature;
  } catch {
    return signature;
  }
}

/**
 * Encodes the transfer. Every EIP-3009 token has the form with v, r and s; a contract wallet's signature has no such
 * parts and needs the form with bytes.
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

/** The facts of an authorization that its settlement repeats. */
type Settleable = Pick<Authorized, "asset" | "payer" | "payTo" | "amount" | "nonce">;

/**
 * Finds the transfer that this very authorization made. EIP-3009 tokens (USDC among them) emit AuthorizationUsed and,
 * as their next log, the Transfer it caused. Any other transfer in the transaction belongs to something else: a payer
 * can use up many nonces in one transaction that pays us once.
 *
 * @param logs all logs of one successful transaction, in order
 * @returns the transfer's position among `logs`, which unlike the block's log index survives a reorganization;
 *   undefined if the authorization did not pay us
 */
export function authorizedTransfer(logs: readonly Log[], payment: Settleable): number | undefined {
  const ofToken = positioned(logs).filter(({ log }) => isAddressEqual(log.address, payment.asset));
  const use = ofToken.findIndex(({ log }) =>
    parseEventLogs({ abi: tokenAbi, eventName: "AuthorizationUsed", logs: [log] }).some(
      ({ args }) => isAddressEqual(args.authorizer, payment.payer) && args.nonce === payment.nonce,
    ),
  );
  const next = use < 0 ? undefined : ofToken[use + 1];
  if (!next) return undefined;
  const pays = parseEventLogs({ abi: tokenAbi, eventName: "Transfer", logs: [next.log] }).some(
    ({ args }) =>
      isAddressEqual(args.from, payment.payer) &&
      isAddressEqual(args.to, payment.payTo) &&
      args.value === payment.amount,
  );
  return pays ? next.position : undefined;
}

/** Logs of one transaction with their positions in it. */
export function positioned(logs: readonly Log[]): { log: Log; position: number }[] {
  return logs.map((log, position) => ({ log, position }));
}
