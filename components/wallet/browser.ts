import type { Chain } from "viem";
import { createConfig, http } from "wagmi";
import { connect, getConnection, signTypedData, switchChain } from "wagmi/actions";
import { injected } from "wagmi/connectors/injected";
import type { PublicConfig, PublicOffer } from "@/components/proof/config";
import type { PayingWallet } from "@/lib/proofs/client";
import { viemChain } from "./chains";
import { INJECTED_WALLET } from "./discover";

function wagmiConfig(config: PublicConfig) {
  const [first, ...rest] = config.chains.map(viemChain);
  if (!first) throw new Error("no chain is configured");
  const chains: readonly [Chain, ...Chain[]] = [first, ...rest];
  return createConfig({
    chains,
    connectors: [injected()],
    transports: Object.fromEntries(config.chains.map((c) => [c.id, http(c.publicRpcUrl)])),
    multiInjectedProviderDiscovery: true,
    storage: null,
  });
}

/** Wallets announce themselves asynchronously; the one that was chosen a moment ago is there at once or soon. */
async function connectorOf(wagmi: ReturnType<typeof wagmiConfig>, walletId: string) {
  for (let attempt = 0; attempt < 20; attempt++) {
    const found = wagmi.connectors.find((c) =>
      walletId === INJECTED_WALLET ? c.type === "injected" && c.id === "injected" : c.id === walletId,
    );
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`the wallet ${walletId} is not in this browser any more`);
}

/**
 * A browser wallet on the chain of the offer, as the paying client takes it. (A wagmi wallet client is not an x402
 * signer as it stands.)
 */
export async function browserWallet(
  walletId: string,
  offer: PublicOffer,
  config: PublicConfig,
): Promise<PayingWallet> {
  const wagmi = wagmiConfig(config);
  const connector = await connectorOf(wagmi, walletId);
  const { accounts } = await connect(wagmi, { connector });
  const [address] = accounts;
  if (!address) throw new Error("the wallet shared no account");
  // Wallets refuse to sign typed data of another chain than the one they are on.
  if (getConnection(wagmi).chainId !== offer.chainId)
    await switchChain(wagmi, { chainId: offer.chainId, connector });
  return { address, signTypedData: (data) => signTypedData(wagmi, { ...data, account: address, connector }) };
}
