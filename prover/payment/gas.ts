import type { Client } from "viem";
import { getBalance } from "viem/actions";
import { neededFees } from "@/lib/chain/fees";
import { chainOf, type Deployment, type PaymentOffer } from "@/lib/proofs/deployment";
import { settlementGasLimit } from "./token";

/** Gas limit that a settlement is signed with when a key pays: USDC takes about 65,000, and a fifth is added. */
const typicalGas = 100_000n;

/** With gas for fewer settlements, an account counts as empty in `/health`. */
export const enoughSettlements = 10;

/** What an account that pays for settlements has left on one chain. */
export interface GasLeft {
  /** CAIP-2. */
  network: string;
  wei: bigint;
  /** How many settlements that covers at today's fees. */
  settlements: number;
}

/**
 * Returns what a settlement may cost in wei: a share of the price it collects. Undefined, so unlimited, if the
 * description does not say what the chain's native token is worth (`nativeTokenUsd`).
 * @param share of the price, 0 to 1
 */
export function gasBudget(
  offer: Pick<PaymentOffer, "chainId" | "amount" | "decimals">,
  deployment: Pick<Deployment, "chains">,
  share: number,
): bigint | undefined {
  const { nativeTokenUsd } = chainOf(deployment, offer.chainId);
  if (nativeTokenUsd === undefined) return undefined;
  const usd = (Number(offer.amount) / 10 ** offer.decimals) * share;
  return BigInt(Math.floor((usd / nativeTokenUsd) * 1e18));
}

/** Reads what an account has left, and what a settlement costs now. @throws viem's errors when the node does not answer */
export async function readGas(
  client: Client,
  network: string,
  address: `0x${string}`,
): Promise<GasLeft & { cost: bigint }> {
  const [wei, needed] = await Promise.all([getBalance(client, { address }), neededFees(client)]);
  // Nodes require a balance for the maximum fee, not only for what the block takes.
  const reserved = typicalGas * needed.fees.maxFeePerGas;
  const settlements = reserved === 0n ? Number.MAX_SAFE_INTEGER : Number(wei / reserved);
  return { network, wei, settlements, cost: typicalGas * needed.least };
}

/**
 * Returns why an account cannot settle now; undefined if it can.
 * @param maxCost wei a settlement may cost; default no limit
 */
export function gasProblem(
  { settlements, cost }: { settlements: number; cost: bigint },
  maxCost: bigint | undefined,
): "empty" | "too expensive" | undefined {
  if (settlements < 1) return "empty";
  return maxCost !== undefined && cost > maxCost ? "too expensive" : undefined;
}

/**
 * Checks a settlement that is about to be signed. A contract wallet checks its signature at our cost, with code of its
 * owner's choice.
 * @param gas estimated
 * @param least wei per gas that a block takes now
 * @throws GasRefusedError
 */
export function assertCost(gas: bigint, least: bigint, maxCost: bigint | undefined): void {
  if (gas > settlementGasLimit) throw new GasRefusedError("the settlement would take too much gas");
  if (maxCost !== undefined && gas * least > maxCost) {
    throw new GasRefusedError("the settlement would cost more than its share of the price");
  }
}

/** The settlement would cost more than its share of the price, or more than the account has. Nothing was signed. */
export class GasRefusedError extends Error {
  override name = "GasRefusedError";
}
