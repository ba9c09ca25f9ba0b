import type { Client, FeeValuesEIP1559 } from "viem";
import { estimateFeesPerGas, getBlock } from "viem/actions";

/** The fees the chain requires now, in wei per gas. */
export interface NeededFees {
  readonly fees: FeeValuesEIP1559;
  /** No block includes a transaction below this fee now. */
  readonly least: bigint;
}

/** Returns the fees a transaction needs now. @throws viem's errors if the node does not respond */
export async function neededFees(client: Client): Promise<NeededFees> {
  const [fees, block] = await Promise.all([
    estimateFeesPerGas(client, { chain: client.chain }),
    getBlock(client),
  ]);
  return { fees, least: (block.baseFeePerGas ?? 0n) + fees.maxPriorityFeePerGas };
}

/**
 * Returns the fees to replace a pending transaction with the same nonce; undefined if its own fees suffice.
 * @param offered the pending transaction's fees
 */
export function replacementFees(offered: FeeValuesEIP1559, needed: NeededFees): FeeValuesEIP1559 | undefined {
  if (offered.maxFeePerGas >= needed.least) return undefined;
  return {
    maxFeePerGas: max(raised(offered.maxFeePerGas), needed.fees.maxFeePerGas),
    maxPriorityFeePerGas: max(raised(offered.maxPriorityFeePerGas), needed.fees.maxPriorityFeePerGas),
  };
}

/** Nodes accept a replacement only if it raises the fees by a tenth. */
function raised(fee: bigint): bigint {
  return (fee * 9n) / 8n + 1n;
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
