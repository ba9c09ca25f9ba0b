import { createHash } from "node:crypto";
import { CIRCLE_BATCHING_NAME, CIRCLE_BATCHING_VERSION } from "@circle-fin/x402-batching";
import { CHAIN_CONFIGS } from "@circle-fin/x402-batching/client";
import { type Abi, type Address, encodeDeployData, getAddress, type Hex } from "viem";
import { DevelopmentDollar, EligibleAction, RecordBoard } from "@/contracts";
import { ELIGIBLE_ACTION_SCOPE } from "@/contracts/eligible-action";
import type { LocalChain } from "@/contracts/local-chain";
import type { Deployment, PaymentOffer } from "@/lib/proofs/deployment";
import { scopeWord } from "@/lib/proofs/derivations";
import { attestersOf } from "@/lib/proofs/trust/attesters";
import { developmentAccount, type Role } from "./accounts";
import type { ContractBook } from "./contract-book";

/** The price of one proof: 0.10 USD in a token with six decimals. */
export const PROOF_PRICE = "100000";
const DOLLAR_CHAINS = [8453, 1, 5042002];
/**
 * Addresses of Circle's USDC on the real chains (developers.circle.com, "USDC contract addresses"). Standard x402 clients
 * pay only in that token by default, so the development dollar takes its place.
 */
export const USDC: Readonly<Partial<Record<number, Address>>> = {
  1: "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
  8453: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
  5042002: CHAIN_CONFIGS.arcTestnet.usdc,
};
/** Development dollars of each paying account, in atomic units (1,000 USD); topped up at every start. */
const FAUCET_AMOUNT = 1_000_000_000n;
const PAYERS: readonly Role[] = ["demo", "journey", "browser"];

/**
 * Deploys the contracts that do not depend on circuits or setup data, the development dollars and the record board, where
 * they are absent, and funds the payers.
 */
export async function ensureBaseContracts(book: ContractBook, chains: readonly LocalChain[]) {
  const dollars = new Map<number, Address>();
  let deployedCount = 0;
  for (const chain of chains.filter((c) => DOLLAR_CHAINS.includes(c.id))) {
    const { address, deployed } = await ensureArtifact(book, chain, DevelopmentDollar, USDC[chain.id]);
    dollars.set(chain.id, address);
    if (deployed) deployedCount++;
    await fundPayers(chain, address);
  }
  const home = chains.find((c) => c.id === 8453);
  if (!home) throw new Error("the stack has no chain 8453");
  const board = await ensureArtifact(book, home, RecordBoard);
  if (board.deployed) deployedCount++;
  return { dollars, recordBoard: { chainId: home.id, address: board.address }, deployedCount };
}

/** Returns an offer in a development dollar. */
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

/** Returns the offer of batched nano-payments from a gateway deposit, on Arc's test network. */
export function gatewayOffer(payTo: Address, asset: Address = CHAIN_CONFIGS.arcTestnet.usdc): PaymentOffer {
  return {
    ...dollarOffer(5042002, asset, payTo, "gateway"),
    eip712: { name: CIRCLE_BATCHING_NAME, version: CIRCLE_BATCHING_VERSION },
    verifyingContract: getAddress(CHAIN_CONFIGS.arcTestnet.gatewayWallet),
  };
}

/**
 * Returns the price of a proof on each chain: facilitator settlement on 8453 and payee settlement on 1, both also by
 * plain transaction; from a gateway deposit on 5042002.
 */
export function paymentOffers(dollars: ReadonlyMap<number, Address>): PaymentOffer[] {
  const payTo = developmentAccount("payee").address;
  const on = (chainId: number) => {
    const asset = dollars.get(chainId);
    if (!asset) throw new Error(`no development dollar on chain ${chainId}`);
    return asset;
  };
  // A local chain mines a block per transaction and never reorganizes.
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

/** @param at the contract's address; by default the one the deployment gives it */
function ensureArtifact(book: ContractBook, chain: LocalChain, artifact: Artifact, at?: Address) {
  const fingerprint = createHash("sha256")
    .update(`${artifact.bytecode}${at ?? ""}`)
    .digest("hex");
  return book.ensure(chain, { name: artifact.contractName, fingerprint }, () =>
    at ? chain.place(artifact.bytecode, at) : chain.deploy(artifact),
  );
}

async function fundPayers({ client, wallet }: LocalChain, address: Address): Promise<void> {
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

/**
 * Deploys the example contract of action proofs on the chain of the verifier it trusts, where it is absent. Another
 * verifier (another build of the circuit, other setup data) needs another example: its trusted address is immutable.
 * @returns undefined when the circuit is not built
 */
export async function ensureExamples(
  book: ContractBook,
  chains: readonly LocalChain[],
  verifiers: Deployment["verifiers"],
): Promise<Deployment["examples"]> {
  const verifier = verifiers.network_eligibility;
  const chain = chains.find((c) => c.id === verifier?.chainId);
  if (!verifier || !chain) return undefined;
  const creation = encodeDeployData({
    ...EligibleAction,
    args: [
      verifier.address,
      attestersOf("development").network_eligibility.root,
      scopeWord(ELIGIBLE_ACTION_SCOPE),
    ],
  });
  const fingerprint = createHash("sha256").update(creation).digest("hex");
  const { address } = await book.ensure(chain, { name: EligibleAction.contractName, fingerprint }, () =>
    chain.deploy({ abi: [], bytecode: creation }),
  );
  return { eligibleAction: { chainId: chain.id, address } };
}
