import {
  type Address,
  createTestClient,
  createWalletClient,
  http,
  parseAbi,
  parseEther,
  publicActions,
} from "viem";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import type { PublicConfig, PublicOffer } from "@/components/proof/config";
import { attestationWallet, payingWallet } from "@/lib/proofs/client/wallets";
import { type ConnectedWallet, type ContractCall, viemChain } from "./connected";

/** Storage names of the private keys: of the main account, and of one that pays for proofs about the main one. */
const KEYS = ["parley.development-wallet", "parley.development-wallet.2"] as const;
const dollar = parseAbi([
  "function mint(address to, uint256 value)",
  "function balanceOf(address) view returns (uint256)",
]);
/** Play money minted at a time: 100 dollars in atomic units. */
const MINT_AMOUNT = 100_000_000n;
/** Play ether for gas, in wei. */
const GAS_BALANCE = parseEther("1");

function isKey(text: string | null): text is `0x${string}` {
  return text !== null && /^0x[0-9a-f]{64}$/.test(text);
}

/** Returns an account of this browser, with a new key at first use. It only ever holds play money on local chains. */
function burner(name: (typeof KEYS)[number]): PrivateKeyAccount {
  const stored = localStorage.getItem(name);
  if (isKey(stored)) return privateKeyToAccount(stored);
  const fresh = generatePrivateKey();
  localStorage.setItem(name, fresh);
  return privateKeyToAccount(fresh);
}

/** Connects the development wallet, which mints play money on local development chains, where anyone can. */
export function developmentWallet(config: PublicConfig): ConnectedWallet {
  const first = burner(KEYS[0]);
  const second = burner(KEYS[1]);
  const accountOf = (address: Address) => (address === second.address ? second : first);
  return {
    addresses: [first.address, second.address],
    async paying(address, offer) {
      const account = accountOf(address);
      await mintIfNeeded(account, offer, config);
      return payingWallet(account);
    },
    holding: (address) => attestationWallet(accountOf(address)),
    transact: (address, call) => transact(accountOf(address), call, config),
  };
}

/** Creates the clients of a local chain for an account. */
function clientsOf(account: PrivateKeyAccount, chainId: number, config: PublicConfig) {
  const description = config.chains.find((c) => c.id === chainId);
  if (!description) throw new Error(`no chain ${chainId} is configured`);
  const transport = http(description.publicRpcUrl);
  // A quiet chain has no later block that would wake viem's search for replacements. See `viemChain` of the prover.
  const chain = { ...viemChain(description), supportsTransactionReplacementDetection: false };
  return {
    node: createTestClient({ mode: "anvil", chain, transport, pollingInterval: 250 }).extend(publicActions),
    writer: createWalletClient({ account, chain, transport }),
  };
}

async function mintIfNeeded(
  account: PrivateKeyAccount,
  offer: PublicOffer,
  config: PublicConfig,
): Promise<void> {
  const { node, writer } = clientsOf(account, offer.chainId, config);
  const balance = await node.readContract({
    address: offer.asset,
    abi: dollar,
    functionName: "balanceOf",
    args: [account.address],
  });
  if (balance >= BigInt(offer.amount)) return;
  await node.setBalance({ address: account.address, value: GAS_BALANCE });
  const hash = await writer.writeContract({
    address: offer.asset,
    abi: dollar,
    functionName: "mint",
    args: [account.address, MINT_AMOUNT],
  });
  await node.waitForTransactionReceipt({ hash });
}

async function transact(account: PrivateKeyAccount, call: ContractCall, config: PublicConfig) {
  const { node, writer } = clientsOf(account, call.chainId, config);
  await node.setBalance({ address: account.address, value: GAS_BALANCE });
  const { to, data, gas } = call;
  const hash = await writer.sendTransaction({ to, data, gas });
  const { status } = await node.waitForTransactionReceipt({ hash });
  return { hash, succeeded: status === "success" };
}
