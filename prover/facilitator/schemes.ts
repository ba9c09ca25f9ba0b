import { x402Facilitator } from "@x402/core/facilitator";
import { toFacilitatorEvmSigner } from "@x402/evm";
import { ExactEvmScheme } from "@x402/evm/exact/facilitator";
import {
  type Address,
  createPublicClient,
  createWalletClient,
  type Hex,
  hashTypedData,
  publicActions,
} from "viem";
import { createNonceManager, privateKeyToAccount } from "viem/accounts";
import { jsonRpc } from "viem/nonce";
import { z } from "zod";
import { chainOf } from "@/lib/proofs/deployment";
import { addressSchema } from "@/lib/proofs/hex";
import { rpcTransport } from "@/lib/proofs/rpc";
import { viemChain } from "../chains";
import type { FacilitatorConfig } from "./config";
import { GasGuard } from "./gas-guard";

/** Field lists of an EIP-712 message, which the scheme hands over untyped. */
const typedDataSchema = z.record(z.string(), z.array(z.object({ name: z.string(), type: z.string() })));

/** Arguments of a settlement: who pays comes first. */
const settlementArgsSchema = z.tuple([addressSchema]).rest(z.unknown());

/** What settles on one network, and what guards its gas. */
export interface NetworkFacilitator {
  facilitator: x402Facilitator;
  guard: GasGuard;
}

/**
 * One x402 facilitator per network, since the scheme's signer knows only one chain. Networks are those of the
 * deployment's offers with facilitator settlement.
 */
export function facilitatorsByNetwork(config: FacilitatorConfig): Map<string, NetworkFacilitator> {
  const offers = config.deployment.offers.filter((offer) => offer.settlement === "facilitator");
  const facilitators = new Map<string, NetworkFacilitator>();
  for (const { network, chainId } of offers) {
    if (facilitators.has(network)) continue;
    const chain = viemChain(config.deployment, chainId);
    const transport = rpcTransport(chainOf(config.deployment, chainId), { timeout: 10_000, retryCount: 2 });
    // Settlements run side by side: without the manager two of them would take the same transaction number.
    const nonceManager = createNonceManager({ source: jsonRpc() });
    const client = createWalletClient({
      account: privateKeyToAccount(config.key, { nonceManager }),
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
          // A contract wallet checks its signature at our cost, with code of its owner's choice.
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
