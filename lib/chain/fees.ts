import type { Client, FeeValuesEIP1559 } from "viem";
import { estimateFeesPerGas, getBlock } from "viem/actions";

/** What the chain takes now, in wei per gas. */
export interface NeededFees {
  readonly fees: FeeValuesEIP1559;
  /** Below this no block takes a transaction now. */
  readonly least: bigint;
}

/** Asks a node what a transaction has to offer now. @throws viem's errors when it does not answer */
export async function neededFees(client: Client): Promise<NeededFees> {
  const [fees, block] = await Promise.all([
    estimateFeesPerGas(client, { chain: client.chain }),
    getBlock(client),
  ]);
  return { fees, least: (block.baseFeePerGas ?? 0n) + fees.maxPriorityFeePerGas };
}

/**
 * Fees of a transaction that takes the place of one with the same number; undefined when that one offers enough.
 * @param offered what the one that waits offers
 */
export function replacementFees(offered: FeeValuesEIP1559, needed: NeededFees): FeeValuesEIP1559 | undefined {
  if (offered.maxFeePerGas >= needed.least) return undefined;
  return {
    maxFeePerGas: max(raised(offered.maxFeePerGas), needed.fees.maxFeePerGas),
    maxPriorityFeePerGas: max(raised(offered.maxPriorityFeePerGas), needed.fees.maxPriorityFeePerGas),
  };
}

/** Nodes take a replacement from a tenth more on. */
function raised(fee: bigint): bigint {
  return (fee * 9n) / 8n + 1n;
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
