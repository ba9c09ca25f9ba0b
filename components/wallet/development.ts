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
import { viemChain } from "./chains";
import type { ConnectedWallet, ContractCall } from "./connected";

/** Where this browser keeps the keys: of the account in use, and of one beside it that pays for the first one's proofs. */
const KEYS = ["parley.development-wallet", "parley.development-wallet.2"] as const;
const dollar = parseAbi([
  "function mint(address to, uint256 value)",
  "function balanceOf(address) view returns (uint256)",
]);
/** Play money minted at a time: 100 dollars in atomic units. */
const FILL = 100_000_000n;
/** Play ether for gas. */
const GAS_MONEY = parseEther("1");
const POLL_MS = 250;

function isKey(text: string | null): text is `0x${string}` {
  return text !== null && /^0x[0-9a-f]{64}$/.test(text);
}

/** An account of this browser; its key is made at first use and only ever holds play money of a local chain. */
function burner(name: (typeof KEYS)[number]): PrivateKeyAccount {
  const stored = localStorage.getItem(name);
  if (isKey(stored)) return privateKeyToAccount(stored);
  const fresh = generatePrivateKey();
  localStorage.setItem(name, fresh);
  return privateKeyToAccount(fresh);
}

/**
 * The development wallet, filled with play money where it lacks some. Works on local development chains only: it
 * uses their balance cheat and a token that anybody may mint.
 */
export function developmentWallet(config: PublicConfig): ConnectedWallet {
  const first = burner(KEYS[0]);
  const second = burner(KEYS[1]);
  const accountOf = (address: Address) => (address === second.address ? second : first);
  return {
    addresses: [first.address, second.address],
    async paying(address, offer) {
      const account = accountOf(address);
      await fill(account, offer, config);
      return payingWallet(account);
    },
    holding: (address) => attestationWallet(accountOf(address)),
    transact: (address, call) => transact(accountOf(address), call, config),
  };
}

/** Clients of a local chain for this account. */
function clientsOf(account: PrivateKeyAccount, chainId: number, config: PublicConfig) {
  const description = config.chains.find((c) => c.id === chainId);
  if (!description) throw new Error(`no chain ${chainId} is configured`);
  const transport = http(description.publicRpcUrl);
  const chain = viemChain(description);
  return {
    node: createTestClient({ mode: "anvil", chain, transport }).extend(publicActions),
    writer: createWalletClient({ account, chain, transport }),
  };
}

async function fill(account: PrivateKeyAccount, offer: PublicOffer, config: PublicConfig): Promise<void> {
  const { node, writer } = clientsOf(account, offer.chainId, config);
  const balance = await node.readContract({
    address: offer.asset,
    abi: dollar,
    functionName: "balanceOf",
    args: [account.address],
  });
  if (balance >= BigInt(offer.amount)) return;
  await node.setBalance({ address: account.address, value: GAS_MONEY });
  const hash = await writer.writeContract({
    address: offer.asset,
    abi: dollar,
    functionName: "mint",
    args: [account.address, FILL],
  });
  await node.waitForTransactionReceipt({ hash, pollingInterval: POLL_MS });
}

async function transact(account: PrivateKeyAccount, call: ContractCall, config: PublicConfig) {
  const { node, writer } = clientsOf(account, call.chainId, config);
  await node.setBalance({ address: account.address, value: GAS_MONEY });
  const { to, data, gas } = call;
  const hash = await writer.sendTransaction({ to, data, gas });
  const { status } = await node.waitForTransactionReceipt({ hash, pollingInterval: POLL_MS });
  return { hash, succeeded: status === "success" };
}
