import {
  type Abi,
  type Address,
  createPublicClient,
  createTestClient,
  createWalletClient,
  defineChain,
  getAddress,
  type Hex,
  http,
} from "viem";
import { mnemonicToAccount } from "viem/accounts";
import type { Chain } from "@/lib/proofs/deployment";
import { ANVIL_MNEMONIC, type Anvil, startAnvil } from "./anvil";

/** A local chain has a block for every transaction: its receipt is there at once. */
const POLL_MS = 20;

/** The accounts of the default mnemonic. */
export const account = (addressIndex: number) => mnemonicToAccount(ANVIL_MNEMONIC, { addressIndex });

/** A running local chain with its clients, and what development and tests do to one. */
export type LocalChain = ReturnType<typeof clientsOf>;

/** Clients of a local chain with the default mnemonic. @param name in a deployment description */
export function clientsOf(anvil: Anvil, id: number, name: string) {
  const { rpcUrl } = anvil;
  const chain = defineChain({
    id,
    name,
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  });
  const transport = http(rpcUrl);
  const common = { chain, transport, pollingInterval: POLL_MS };
  const client = createPublicClient(common);
  const control = createTestClient({ ...common, mode: "anvil" });
  const wallet = (index: number) => createWalletClient({ ...common, account: account(index) });
  return {
    id,
    anvil,
    chain,
    client,
    /** Changes what no transaction could. */
    control,
    wallet,
    /** The chain's entry in a deployment description. */
    description: { id, name, rpcUrl, publicRpcUrl: rpcUrl, explorerUrl: null } satisfies Chain,
    /** Deploys a contract from the first account. @throws Error when the transaction fails */
    async deploy(contract: { abi: Abi; bytecode: Hex }, args: unknown[] = []): Promise<Address> {
      const hash = await wallet(0).deployContract({ ...contract, args });
      const { status, contractAddress } = await client.waitForTransactionReceipt({ hash });
      if (status !== "success" || !contractAddress) throw new Error(`deployment ${hash} failed`);
      return getAddress(contractAddress);
    },
    /** Puts a contract at an address of our choice. Its constructor must store nothing. */
    async place(bytecode: Hex, address: Address): Promise<Address> {
      // A creation that is only simulated returns the code it would leave behind.
      const { data: code } = await client.call({ data: bytecode });
      if (!code || code === "0x") throw new Error("the contract has no code to place");
      await control.setCode({ address, bytecode: code });
      return address;
    },
    stop: anvil.stop,
  };
}

/** A new local chain on a free port; call `stop` in the end. */
export async function startLocalChain(chainId = 8453, name = "test"): Promise<LocalChain> {
  return clientsOf(await startAnvil({ chainId }), chainId, name);
}
