import type { Address, PublicClient } from "viem";
import type { Deployment, PaymentOffer } from "@/lib/proofs/deployment";
import { settlementGasLimit } from "../payment/calls";
import { type GasLeft, GasRefusedError, gasBudget, readGas } from "../payment/gas";

const pauseMs = 3_600_000;

/** What guards the facilitator's gas on one network. */
export class GasGuard {
  /** Payers whose settlement failed at our cost, and until when nothing is settled for them. */
  readonly #paused = new Map<Address, number>();

  constructor(
    readonly client: PublicClient,
    readonly account: Address,
    readonly network: string,
    readonly parts: { offers: readonly PaymentOffer[]; deployment: Deployment; share: number },
  ) {}

  /** @throws viem's errors when the node does not answer */
  async left(): Promise<GasLeft> {
    const { wei, settlements } = await readGas(this.client, this.network, this.account);
    return { network: this.network, wei, settlements };
  }

  /** Why nothing is settled for a payer now, in an x402 `invalidReason`; undefined when nothing speaks against it. */
  async refusal(payer: Address): Promise<string | undefined> {
    if ((this.#paused.get(payer) ?? 0) > Date.now()) return "settlement_reverted";
    const { settlements, cost } = await readGas(this.client, this.network, this.account);
    if (settlements < 1) return "facilitator_out_of_gas";
    const budget = this.#budget();
    return budget !== undefined && cost > budget ? "settlement_too_expensive" : undefined;
  }

  /**
   * Allows a settlement to be signed, or does not.
   * @param gas estimated
   * @returns its gas limit
   * @throws GasRefusedError
   */
  async allow(gas: bigint): Promise<bigint> {
    if (gas > settlementGasLimit) throw new GasRefusedError("the settlement would take too much gas");
    const [{ maxFeePerGas }, balance] = await Promise.all([
      this.client.estimateFeesPerGas(),
      this.client.getBalance({ address: this.account }),
    ]);
    const limit = (gas * 12n) / 10n;
    if (balance < limit * maxFeePerGas)
      throw new GasRefusedError("the account cannot pay for the settlement");
    const { baseFeePerGas } = await this.client.getBlock();
    const budget = this.#budget();
    if (budget !== undefined && gas * (baseFeePerGas ?? maxFeePerGas) > budget) {
      throw new GasRefusedError("the settlement would cost more than its share of the price");
    }
    return limit;
  }

  /** Notes that a payer's settlement failed on chain. */
  reverted(payer: Address): void {
    const now = Date.now();
    for (const [known, until] of this.#paused) if (until <= now) this.#paused.delete(known);
    this.#paused.set(payer, now + pauseMs);
  }

  /** By the cheapest offer of the network. */
  #budget(): bigint | undefined {
    const { offers, deployment, share } = this.parts;
    const budgets = offers.flatMap((offer) =>
      offer.network === this.network ? (gasBudget(offer, deployment, share) ?? []) : [],
    );
    return budgets.reduce<bigint | undefined>(
      (least, each) => (least === undefined || each < least ? each : least),
      undefined,
    );
  }
}
