import { createHash } from "node:crypto";
import { CIRCLE_BATCHING_NAME, CIRCLE_BATCHING_VERSION } from "@circle-fin/x402-batching";
import { CHAIN_CONFIGS } from "@circle-fin/x402-batching/client";
import { type Abi, type Address, getAddress, type Hex } from "viem";
import { DevelopmentDollar, RecordBoard } from "@/contracts";
import type { LocalChain } from "@/contracts/local-chain";
import type { PaymentOffer } from "@/lib/proofs/deployment";
import { developmentAccount, type Role } from "./accounts";
import type { ContractBook } from "./contract-book";

/** 0.10 USD in a currency of six decimals: the price of one proof. */
export const PROOF_PRICE = "100000";
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
    await fillPurses(chain, address);
  }
  const home = chains.find((c) => c.id === 8453);
  if (!home) throw new Error("the stack has no chain 8453");
  const board = await ensureArtifact(book, home, RecordBoard);
  if (board.deployed) deployedCount++;
  return { dollars, recordBoard: { chainId: home.id, address: board.address }, deployedCount };
}

/** The offer of a development dollar; whoever is paid differs. */
export function dollarOffer(
  chainId: number,
  asset: Address,
  payTo: Address,
  settlement: PaymentOffer["settlement"],
): PaymentOffer {
  return {
    chainId,
    network: `eip155:${chainId}`,
    asset,
    symbol: "USDC",
    decimals: 6,
    amount: PROOF_PRICE,
    payTo,
    settlement,
    eip712: { name: "USD Coin", version: "2" },
  };
}

/** The offer of batched nano-payments from a deposit at the gateway, on Arc's test network. */
export function gatewayOffer(payTo: Address, asset: Address = CHAIN_CONFIGS.arcTestnet.usdc): PaymentOffer {
  return {
    ...dollarOffer(5042002, asset, payTo, "gateway"),
    eip712: { name: CIRCLE_BATCHING_NAME, version: CIRCLE_BATCHING_VERSION },
    verifyingContract: getAddress(CHAIN_CONFIGS.arcTestnet.gatewayWallet),
  };
}

/**
 * What a proof costs and where it can be paid: facilitator settlement on 8453 and payee settlement on 1, both by plain
 * transaction too; from a gateway deposit on 5042002.
 */
export function paymentOffers(dollars: ReadonlyMap<number, Address>): PaymentOffer[] {
  const payTo = developmentAccount("payee").address;
  const on = (chainId: number) => {
    const asset = dollars.get(chainId);
    if (!asset) throw new Error(`no development dollar on chain ${chainId}`);
    return asset;
  };
  // A local chain has a block for every transaction and never takes one back.
  const transactions = { confirmations: 1 };
  return [
    { ...dollarOffer(8453, on(8453), payTo, "facilitator"), transactions },
    { ...dollarOffer(1, on(1), payTo, "payee"), transactions },
    gatewayOffer(payTo, on(5042002)),
  ];
}

interface Artifact {
  contractName: string;
  abi: Abi;
  bytecode: Hex;
}

/** @param at where the contract is to stand; wherever a deployment puts it when left out */
function ensureArtifact(book: ContractBook, chain: LocalChain, artifact: Artifact, at?: Address) {
  const fingerprint = createHash("sha256")
    .update(`${artifact.bytecode}${at ?? ""}`)
    .digest("hex");
  return book.ensure(chain, { name: artifact.contractName, fingerprint }, () =>
    at ? chain.place(artifact.bytecode, at) : chain.deploy(artifact),
  );
}

async function fillPurses({ client, wallet }: LocalChain, address: Address): Promise<void> {
  const dollar = { address, abi: DevelopmentDollar.abi };
  for (const role of PAYERS) {
    const payer = developmentAccount(role).address;
    const balance = await client.readContract({ ...dollar, functionName: "balanceOf", args: [payer] });
    if (balance >= FAUCET_AMOUNT / 2n) continue;
    const hash = await wallet(0).writeContract({
      ...dollar,
      functionName: "mint",
      args: [payer, FAUCET_AMOUNT],
    });
    await client.waitForTransactionReceipt({ hash });
  }
}
