import type { Address, Chain, PublicClient, Transport } from "viem";
import { type NeededFees, neededFees } from "./fees";
import type { Call } from "./journal";

/** What a call costs, as the chain says now. */
export interface Quote {
  /** Limit of gas: what it takes and a fifth more, since calls of one kind differ by some bytes. */
  readonly gas: bigint;
  /** Gas it takes. */
  readonly estimated: bigint;
  readonly needed: NeededFees;
  /** Wei of the wallet. */
  readonly balance: bigint;
}

/** @throws Error when the chain does not answer, is another one, or has no contract at the address */
export async function quoteOf(
  client: PublicClient<Transport, Chain>,
  from: Address,
  call: Call,
): Promise<Quote> {
  const [chainId, code, balance, needed] = await Promise.all([
    client.getChainId(),
    client.getCode({ address: call.to }),
    client.getBalance({ address: from }),
    neededFees(client),
  ]);
  if (chainId !== client.chain.id) throw new Error(`this is chain ${chainId}`);
  // A call of nothing succeeds and records nothing.
  if (!code) throw new Error("there is no contract");
  const estimated = await client.estimateGas({ account: from, ...call });
  return { gas: (estimated * 12n) / 10n, estimated, needed, balance };
}
