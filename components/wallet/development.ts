import { createTestClient, createWalletClient, http, parseAbi, parseEther, publicActions } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import type { PublicConfig, PublicOffer } from "@/components/proof/config";
import type { PayingWallet } from "@/lib/proofs/client";
import { viemChain } from "./chains";

const KEY = "parley.development-wallet";
const dollar = parseAbi([
  "function mint(address to, uint256 value)",
  "function balanceOf(address) view returns (uint256)",
]);
/** Play money minted at a time: 100 dollars in atomic units. */
const FILL = 100_000_000n;

function isKey(text: string | null): text is `0x${string}` {
  return text !== null && /^0x[0-9a-f]{64}$/.test(text);
}

/** The throw-away key of this browser; made at first use. It only ever holds play money of a local chain. */
function burnerKey(): `0x${string}` {
  const stored = localStorage.getItem(KEY);
  if (isKey(stored)) return stored;
  const fresh = generatePrivateKey();
  localStorage.setItem(KEY, fresh);
  return fresh;
}

/**
 * The development wallet, filled with play money where it lacks some. Works on local development chains only: it
 * uses their balance cheat and a token that anybody may mint.
 */
export async function developmentWallet(offer: PublicOffer, config: PublicConfig): Promise<PayingWallet> {
  const description = config.chains.find((c) => c.id === offer.chainId);
  if (!description) throw new Error(`no chain ${offer.chainId} is configured`);
  const account = privateKeyToAccount(burnerKey());
  const transport = http(description.publicRpcUrl);
  const chain = viemChain(description);
  const node = createTestClient({ mode: "anvil", chain, transport }).extend(publicActions);
  const balance = await node.readContract({
    address: offer.asset,
    abi: dollar,
    functionName: "balanceOf",
    args: [account.address],
  });
  if (balance < BigInt(offer.amount)) {
    await node.setBalance({ address: account.address, value: parseEther("1") });
    const hash = await createWalletClient({ account, chain, transport }).writeContract({
      address: offer.asset,
      abi: dollar,
      functionName: "mint",
      args: [account.address, FILL],
    });
    await node.waitForTransactionReceipt({ hash, pollingInterval: 250 });
  }
  return { address: account.address, signTypedData: (data) => account.signTypedData(data) };
}
