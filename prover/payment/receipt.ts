import { isAddressEqual, type Log, parseEventLogs } from "viem";
import type { Authorized } from "./payment";
import { tokenAbi } from "./token-abi";

/** The facts of an authorization that its settlement repeats. */
type Settleable = Pick<Authorized, "asset" | "payer" | "payTo" | "amount" | "nonce">;

/**
 * Finds the transfer that this very authorization made. EIP-3009 tokens (USDC among them) emit AuthorizationUsed and,
 * as their next log, the Transfer it caused. Any other transfer in the transaction belongs to something else: a payer
 * can use up many nonces in one transaction that pays us once.
 *
 * @param logs all logs of one successful transaction, in order
 * @returns the transfer's position among `logs`, which unlike the block's log index survives a reorganisation;
 * undefined when the authorization did not pay us
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
