import { createHash } from "node:crypto";
import { CIRCLE_BATCHING_NAME, CIRCLE_BATCHING_VERSION } from "@circle-fin/x402-batching";
import { CHAIN_CONFIGS } from "@circle-fin/x402-batching/client";
import {
  type Abi,
  type Address,
  createPublicClient,
  createTestClient,
  createWalletClient,
  getAddress,
  type Hex,
  http,
} from "viem";
import { DevelopmentDollar, RecordBoard } from "@/contracts";
import type { PaymentOffer } from "@/lib/proofs/deployment";
import { developmentAccount, type Role } from "./accounts";
import type { LocalChain } from "./chains";
import type { ContractBook } from "./contract-book";

/** 0.10 USD in a currency of six decimals: the price of one proof. */
const PROOF_PRICE = "100000";
/** Chains that get a development dollar. */
const DOLLAR_CHAINS = [8453, 1, 5042002];
/**
 * Where Circle's USDC stands on the real chains (developers.circle.com, "USDC contract addresses"). Standard x402 clients
 * pay in that token only unless told otherwise, so the development dollar takes its place.
 */
export const USDC: Readonly<Partial<Record<number, Address>>> = {
  1: "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
  8453: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
  5042002: CHAIN_CONFIGS.arcTestnet.usdc,
};
/** Development dollars given to each paying account, atomic units (1,000 USD); topped up at every start. */
const FAUCET_AMOUNT = 1_000_000_000n;
const PAYERS: readonly Role[] = ["demo", "journey", "browser"];

/** Deploys a contract from the deployer's account. @throws Error when the transaction fails */
export async function deploy(rpcUrl: string, abi: Abi, bytecode: Hex): Promise<Address> {
  const client = createWalletClient({ account: developmentAccount("deployer"), transport: http(rpcUrl) });
  const hash = await client.deployContract({ abi, bytecode, chain: null });
  const receipt = await createPublicClient({ transport: http(rpcUrl) }).waitForTransactionReceipt({
    hash,
    pollingInterval: 100,
  });
  if (receipt.status !== "success" || !receipt.contractAddress) throw new Error(`deployment ${hash} failed`);
  return getAddress(receipt.contractAddress);
}

/** Contracts that do not depend on circuits or setup data. */
export interface BaseContracts {
  /** Dollar per chain id. */
  dollars: Map<number, Address>;
  recordBoard: { chainId: number; address: Address };
  deployedCount: number;
}

/** Makes sure that the development dollars and the record board stand, and that the payers have money. */
export async function ensureBaseContracts(
  book: ContractBook,
  chains: readonly LocalChain[],
): Promise<BaseContracts> {
  const dollars = new Map<number, Address>();
  let deployedCount = 0;
  for (const chain of chains.filter((c) => DOLLAR_CHAINS.includes(c.id))) {
    const { address, deployed } = await ensureArtifact(book, chain, DevelopmentDollar, USDC[chain.id]);
    dollars.set(chain.id, address);
    if (deployed) deployedCount++;
    await fillPurses(chain.anvil.rpcUrl, address);
  }
  const home = chains.find((c) => c.id === 8453);
  if (!home) throw new Error("the stack has no chain 8453");
  const board = await ensureArtifact(book, home, RecordBoard);
  if (board.deployed) deployedCount++;
  return { dollars, recordBoard: { chainId: home.id, address: board.address }, deployedCount };
}

/**
 * What a proof costs and where it can be paid: facilitator settlement on 8453 and payee settlement on 1, both by plain
 * transaction too; from a gateway deposit on 5042002.
 */
export function paymentOffers(dollars: ReadonlyMap<number, Address>): PaymentOffer[] {
  const offer = (chainId: 8453 | 1 | 5042002, settlement: PaymentOffer["settlement"]): PaymentOffer => {
    const asset = dollars.get(chainId);
    if (!asset) throw new Error(`no development dollar on chain ${chainId}`);
    return {
      chainId,
      network: `eip155:${chainId}`,
      asset,
      symbol: "USDC",
      decimals: 6,
      amount: PROOF_PRICE,
      payTo: developmentAccount("payee").address,
      settlement,
      eip712: { name: "USD Coin", version: "2" },
    };
  };
  // A local chain has a block for every transaction and never takes one back.
  const transactions = { confirmations: 1 };
  return [
    { ...offer(8453, "facilitator"), transactions },
    { ...offer(1, "payee"), transactions },
    {
      ...offer(5042002, "gateway"),
      eip712: { name: CIRCLE_BATCHING_NAME, version: CIRCLE_BATCHING_VERSION },
      verifyingContract: getAddress(CHAIN_CONFIGS.arcTestnet.gatewayWallet),
    },
  ];
}

interface Artifact {
  contractName: string;
  abi: Abi;
  bytecode: Hex;
}

/** @param at where the contract is to stand; wherever a deployment puts it when left out */
function ensureArtifact(book: ContractBook, chain: LocalChain, artifact: Artifact, at?: Address) {
  const { rpcUrl } = chain.anvil;
  const fingerprint = createHash("sha256")
    .update(`${artifact.bytecode}${at ?? ""}`)
    .digest("hex");
  return book.ensure({ chainId: chain.id, rpcUrl, name: artifact.contractName, fingerprint }, () =>
    at ? place(rpcUrl, artifact, at) : deploy(rpcUrl, artifact.abi, artifact.bytecode),
  );
}

/** Puts a contract at an address of our choice, which a development chain allows. Its constructor must store nothing. */
async function place(rpcUrl: string, { contractName, bytecode }: Artifact, at: Address): Promise<Address> {
  // A creation that is only simulated returns the code it would leave behind.
  const { data: code } = await createPublicClient({ transport: http(rpcUrl) }).call({ data: bytecode });
  if (!code || code === "0x") throw new Error(`${contractName} has no code to place`);
  await createTestClient({ mode: "anvil", transport: http(rpcUrl) }).setCode({ address: at, bytecode: code });
  return at;
}

async function fillPurses(rpcUrl: string, dollar: Address): Promise<void> {
  const reader = createPublicClient({ transport: http(rpcUrl) });
  const faucet = createWalletClient({ account: developmentAccount("deployer"), transport: http(rpcUrl) });
  for (const role of PAYERS) {
    const { address } = developmentAccount(role);
    const balance = await reader.readContract({
      address: dollar,
      abi: DevelopmentDollar.abi,
      functionName: "balanceOf",
      args: [address],
    });
    if (balance >= FAUCET_AMOUNT / 2n) continue;
    const hash = await faucet.writeContract({
      address: dollar,
      abi: DevelopmentDollar.abi,
      functionName: "mint",
      args: [address, FAUCET_AMOUNT],
      chain: null,
    });
    await reader.waitForTransactionReceipt({ hash, pollingInterval: 100 });
  }
}
