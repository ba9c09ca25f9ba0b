import { x402Facilitator } from "@x402/core/facilitator";
import { toFacilitatorEvmSigner } from "@x402/evm";
import { ExactEvmScheme } from "@x402/evm/exact/facilitator";
import {
  type Address,
  createPublicClient,
  createWalletClient,
  type Hex,
  hashTypedData,
  type PublicClient,
  publicActions,
} from "viem";
import { createNonceManager } from "viem/accounts";
import { jsonRpc } from "viem/nonce";
import { z } from "zod";
import { neededFees } from "@/lib/chain/fees";
import { signerOf } from "@/lib/chain/remote-signer";
import { chainOf, type Deployment, type PaymentOffer } from "@/lib/proofs/deployment";
import { addressSchema } from "@/lib/proofs/hex";
import { rpcTransport } from "@/lib/proofs/rpc";
import { type Tracing, traceRpc } from "@/lib/tracing";
import { viemChain } from "../chains";
import { assertCost, type GasLeft, GasRefusedError, gasBudget, gasProblem, readGas } from "../payment/gas";
import type { FacilitatorConfig } from "./config";

const pauseMs = 3_600_000;
/** As x402 reasons. */
const REFUSALS = { empty: "facilitator_out_of_gas", "too expensive": "settlement_too_expensive" } as const;

/** Guards the facilitator's gas on one network. */
class GasGuard {
  /** Payers whose settlement failed at our cost, and until when they are refused. */
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

  /** Returns why a payer is refused now, as an x402 `invalidReason`; undefined if the settlement may proceed. */
  async refusal(payer: Address): Promise<string | undefined> {
    if ((this.#paused.get(payer) ?? 0) > Date.now()) return "settlement_reverted";
    const problem = gasProblem(await readGas(this.client, this.network, this.account), this.#budget());
    return problem && REFUSALS[problem];
  }

  /**
   * Checks the cost of a settlement before it is signed.
   * @param gas estimated
   * @returns its gas limit
   * @throws GasRefusedError
   */
  async allow(gas: bigint): Promise<bigint> {
    const [{ fees, least }, balance] = await Promise.all([
      neededFees(this.client),
      this.client.getBalance({ address: this.account }),
    ]);
    assertCost(gas, least, this.#budget());
    const limit = (gas * 12n) / 10n;
    if (balance < limit * fees.maxFeePerGas) {
      throw new GasRefusedError("the account cannot pay for the settlement");
    }
    return limit;
  }

  /** Records that a payer's settlement failed on chain. */
  reverted(payer: Address): void {
    const now = Date.now();
    for (const [known, until] of this.#paused) if (until <= now) this.#paused.delete(known);
    this.#paused.set(payer, now + pauseMs);
  }

  /** The least of the network's offers. */
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

/** Fields of an EIP-712 message, which the scheme passes untyped. */
const typedDataSchema = z.record(z.string(), z.array(z.object({ name: z.string(), type: z.string() })));

/** Arguments of a settlement, the payer first. */
const settlementArgsSchema = z.tuple([addressSchema]).rest(z.unknown());

/** A network's facilitator and the guard of its gas. */
export interface NetworkFacilitator {
  facilitator: x402Facilitator;
  guard: GasGuard;
}

/** Creates a facilitator for each network with facilitator settlement: the scheme's signer knows only one chain. */
export function facilitatorsByNetwork(
  config: FacilitatorConfig,
  tracing: Tracing,
): Map<string, NetworkFacilitator> {
  const offers = config.deployment.offers.filter((offer) => offer.settlement === "facilitator");
  const facilitators = new Map<string, NetworkFacilitator>();
  for (const { network, chainId } of offers) {
    if (facilitators.has(network)) continue;
    const chain = viemChain(config.deployment, chainId);
    const transport = rpcTransport(chainOf(config.deployment, chainId), {
      ...{ timeout: 10_000, retryCount: 2, trace: traceRpc(tracing, chainId) },
    });
    // Settlements run in parallel: without the manager two of them would use the same nonce.
    const nonceManager = createNonceManager({ source: jsonRpc() });
    const client = createWalletClient({
      account: signerOf(config.key, { nonceManager }),
      chain,
      transport,
      pollingInterval: 250,
    }).extend(publicActions);
    const guard = new GasGuard(createPublicClient({ chain, transport }), client.account.address, network, {
      ...{ offers, deployment: config.deployment, share: config.gasShare },
    });
    const payers = new Map<Hex, Address>();
    const signer = toFacilitatorEvmSigner(
      {
        address: client.account.address,
        readContract: (args) => client.readContract(args),
        verifyTypedData: ({ address, signature, domain, primaryType, message, types }) =>
          client.verifyHash({
            address,
            signature,
            hash: hashTypedData({ domain, primaryType, message, types: typedDataSchema.parse(types) }),
          }),
        async writeContract(args) {
          const [payer] = settlementArgsSchema.parse(args.args);
          const gas = await guard.allow(
            await client.estimateContractGas({ ...args, account: client.account }),
          );
          const hash = await client.writeContract({ ...args, gas });
          payers.set(hash, payer);
          return hash;
        },
        sendTransaction: (args) => client.sendTransaction(args),
        async waitForTransactionReceipt(args) {
          try {
            const receipt = await client.waitForTransactionReceipt(args);
            const payer = payers.get(args.hash);
            if (payer && receipt.status === "reverted") guard.reverted(payer);
            return receipt;
          } finally {
            payers.delete(args.hash);
          }
        },
        getCode: (args) => client.getCode(args),
      },
      { confirmationTimeoutMs: config.confirmationMs },
    );
    const facilitator = new x402Facilitator().register(network, new ExactEvmScheme(signer));
    facilitators.set(network, { facilitator, guard });
  }
  return facilitators;
}
