import { x402Facilitator } from "@x402/core/facilitator";
import { toFacilitatorEvmSigner } from "@x402/evm";
import { ExactEvmScheme } from "@x402/evm/exact/facilitator";
import { createWalletClient, hashTypedData, http, publicActions } from "viem";
import { createNonceManager, privateKeyToAccount } from "viem/accounts";
import { jsonRpc } from "viem/nonce";
import { z } from "zod";
import { viemChain } from "../chains";
import { settlementGasLimit } from "../payment/calls";
import type { FacilitatorConfig } from "./config";

/** Field lists of an EIP-712 message, which the scheme hands over untyped. */
const typedDataSchema = z.record(z.string(), z.array(z.object({ name: z.string(), type: z.string() })));

/**
 * One x402 facilitator per network, since the scheme's signer knows only one chain. Networks are those of the
 * deployment's offers with facilitator settlement.
 */
export function facilitatorsByNetwork(config: FacilitatorConfig): Map<string, x402Facilitator> {
  const offers = config.deployment.offers.filter((offer) => offer.settlement === "facilitator");
  const facilitators = new Map<string, x402Facilitator>();
  for (const { network, chainId } of offers) {
    if (facilitators.has(network)) continue;
    const chain = viemChain(config.deployment, chainId);
    // Settlements run side by side: without the manager two of them would take the same transaction number.
    const nonceManager = createNonceManager({ source: jsonRpc() });
    const client = createWalletClient({
      account: privateKeyToAccount(config.key, { nonceManager }),
      chain,
      transport: http(chain.rpcUrls.default.http[0], { timeout: 10_000 }),
      pollingInterval: 250,
    }).extend(publicActions);
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
          const gas = await client.estimateContractGas({ ...args, account: client.account });
          if (gas > settlementGasLimit) throw new Error("the settlement would cost too much gas");
          return await client.writeContract({ ...args, gas: (gas * 12n) / 10n });
        },
        sendTransaction: (args) => client.sendTransaction(args),
        waitForTransactionReceipt: (args) => client.waitForTransactionReceipt(args),
        getCode: (args) => client.getCode(args),
      },
      { confirmationTimeoutMs: config.confirmationMs },
    );
    facilitators.set(network, new x402Facilitator().register(network, new ExactEvmScheme(signer)));
  }
  return facilitators;
}
