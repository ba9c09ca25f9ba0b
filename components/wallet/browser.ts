import type { Address, Chain } from "viem";
import { createConfig, http } from "wagmi";
import {
  connect,
  getConnection,
  sendTransaction,
  signMessage,
  signTypedData,
  switchChain,
  waitForTransactionReceipt,
} from "wagmi/actions";
import { injected } from "wagmi/connectors/injected";
import type { PublicConfig } from "@/components/proof/config";
import { attestationWallet, payingWallet } from "@/lib/proofs/client/wallets";
import { type ConnectedWallet, viemChain } from "./connected";
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

/** Finds the chosen wallet. Wallets announce themselves asynchronously, so it may take a moment. */
async function connectorOf(wagmi: ReturnType<typeof wagmiConfig>, walletId: string) {
  for (let poll = 0; poll < 20; poll++) {
    const found = wagmi.connectors.find((c) =>
      walletId === INJECTED_WALLET ? c.type === "injected" && c.id === "injected" : c.id === walletId,
    );
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`the wallet ${walletId} is no longer in this browser`);
}

/** Connects a wallet of this browser. */
export async function browserWallet(walletId: string, config: PublicConfig): Promise<ConnectedWallet> {
  const wagmi = wagmiConfig(config);
  const connector = await connectorOf(wagmi, walletId);
  const { accounts } = await connect(wagmi, { connector });
  const [first, ...rest] = accounts;
  if (!first) throw new Error("the wallet shared no account");
  // Wallets refuse typed data and transactions for a chain that is not the current one.
  const moveTo = async (chainId: number) => {
    if (getConnection(wagmi).chainId !== chainId) await switchChain(wagmi, { chainId, connector });
  };
  return {
    addresses: [first, ...rest],
    async paying(address, offer) {
      await moveTo(offer.chainId);
      return payingWallet({
        address,
        signTypedData: (data) => signTypedData(wagmi, { ...data, account: address, connector }),
      });
    },
    holding: (address: Address) =>
      attestationWallet({
        address,
        signMessage: ({ message }) => signMessage(wagmi, { message, account: address, connector }),
        async signTypedData(action) {
          await moveTo(action.domain.chainId);
          return signTypedData(wagmi, { ...action, account: address, connector });
        },
      }),
    async transact(address, { chainId, to, data, gas }) {
      await moveTo(chainId);
      const hash = await sendTransaction(wagmi, { account: address, connector, chainId, to, data, gas });
      const { status } = await waitForTransactionReceipt(wagmi, { hash, chainId, pollingInterval: 500 });
      return { hash, succeeded: status === "success" };
    },
  };
}
