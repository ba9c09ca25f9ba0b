import {
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  domainSeparator,
  isAddressEqual,
  parseAbi,
  zeroAddress,
} from "viem";
import { addressOf } from "@/lib/chain/remote-signer";
import type { Deployment, PaymentOffer } from "@/lib/proofs/deployment";
import { isPrivateLine, type SigningKey } from "@/lib/settings/keys";
import type { Chains } from "./chains";

/** How a token describes itself. */
const describedAbi = parseAbi([
  "function decimals() view returns (uint8)",
  "function DOMAIN_SEPARATOR() view returns (bytes32)",
]);

/**
 * Returns what would lose money in production, as far as the description shows it.
 * @param keys of the accounts that pay for gas: money paid to them is lost if a key is stolen
 */
export function moneyProblems(
  { offers, services, chains }: Deployment,
  keys: readonly (SigningKey | undefined)[],
): string[] {
  const accounts = keys.flatMap((key) => (key ? addressOf(key) : []));
  return [
    ...offers.flatMap((offer) => {
      const wrong = wrongRecipient(offer, accounts);
      return wrong ? [`payTo of ${nameOf(offer)} is ${wrong}`] : [];
    }),
    ...Object.entries(services).flatMap(([name, url]) =>
      url && !isPrivateLine(url) ? [`services.${name} is not an https address`] : [],
    ),
    ...chains.flatMap(({ id, publicRpcUrl }) =>
      isPrivateLine(publicRpcUrl) ? [] : [`publicRpcUrl of chain ${id} is not an https address`],
    ),
  ];
}

function wrongRecipient({ payTo, asset }: PaymentOffer, accounts: readonly Address[]): string | undefined {
  if (isAddressEqual(payTo, zeroAddress)) return "the zero address";
  if (isAddressEqual(payTo, asset)) return "the token's own contract";
  return accounts.some((each) => isAddressEqual(each, payTo))
    ? "the account that pays for gas, whose key is in memory"
    : undefined;
}

/**
 * Compares the offers with their tokens: payers sign the token's domain, and under a wrong one they sign what we accept
 * and the token refuses.
 * @returns problems, and chains that did not answer
 */
export async function tokenProblems(
  offers: readonly PaymentOffer[],
  chains: Chains,
): Promise<{ problems: string[]; silent: number[] }> {
  const asked = offers.filter(({ settlement }) => settlement !== "gateway");
  const answers = await Promise.all(asked.map((offer) => tokenProblem(offer, chains)));
  return {
    problems: answers.flatMap((answer) => (typeof answer === "string" ? answer : [])),
    silent: answers.flatMap((answer) => (typeof answer === "number" ? answer : [])),
  };
}

/** Returns the problem, or the chain that did not answer. */
async function tokenProblem(offer: PaymentOffer, chains: Chains): Promise<string | number | undefined> {
  const { chainId, asset, eip712, decimals } = offer;
  const token = { address: asset, abi: describedAbi };
  const client = chains.client(chainId);
  try {
    const [digits, separator] = await Promise.all([
      client.readContract({ ...token, functionName: "decimals" }),
      client.readContract({ ...token, functionName: "DOMAIN_SEPARATOR" }),
    ]);
    if (digits !== decimals) return `the token of ${nameOf(offer)} has ${digits} decimals`;
    const signed = domainSeparator({ domain: { ...eip712, chainId, verifyingContract: asset } });
    if (separator === signed) return undefined;
    return `the token of ${nameOf(offer)} has another EIP-712 name or version than "${eip712.name}", "${eip712.version}"`;
  } catch (error) {
    const cause = error instanceof BaseError ? error.walk(isContractAnswer) : undefined;
    return cause ? `the asset of ${nameOf(offer)} is no token with EIP-712 signatures` : chainId;
  }
}

function isContractAnswer(error: unknown): boolean {
  return error instanceof ContractFunctionZeroDataError || error instanceof ContractFunctionRevertedError;
}

function nameOf({ network, settlement }: PaymentOffer): string {
  return `the offer on ${network} with ${settlement} settlement`;
}
