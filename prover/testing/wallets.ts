import { type Address, concatHex, encodeFunctionData, getAddress, type Hex } from "viem";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { DevelopmentDollar, DevelopmentWallet } from "@/contracts/index";
import type { TestChain } from "./chain";
import { createPayer, type Payer } from "./payer";

/** How DevelopmentWallet writes what its owner signed. @param behind ignored by the wallet */
export function walletSignature(byOwner: Hex, behind: Hex = "0x"): Hex {
  return concatHex(["0x01", byOwner, behind]);
}

/**
 * Code of a wallet that takes every signature when it is asked (eth_call has no gas price) and none in a transaction,
 * which then fails at its sender's cost.
 */
export const twoFacedWallet = "0x3a156008575f5ffd5b631626ba7e60e01b5f5260205ff3" as const;

/** A contract wallet with money, and its owner as its payer. */
export async function createWalletPayer(
  chain: TestChain,
  amount: bigint,
  written: (byOwner: Hex) => Hex = walletSignature,
): Promise<Payer> {
  const account = privateKeyToAccount(generatePrivateKey());
  const { abi, bytecode } = DevelopmentWallet;
  const hash = await chain.client.deployContract({ abi, bytecode, args: [account.address] });
  const { contractAddress } = await chain.client.waitForTransactionReceipt({ hash });
  if (!contractAddress) throw new Error("the wallet was not deployed");
  const address = getAddress(contractAddress);
  if (amount > 0n) await chain.mint(address, amount);
  return createPayer(account, { address, written });
}

export interface Transfer {
  to: Address;
  value: bigint;
  /** What follows the call's arguments. */
  behind: Hex;
  /** Default the chain's dollar. */
  token?: Address;
}

/** A signed transfer from an account (which gets gas for it), or through the contract wallet it owns. */
export async function signTransfer(
  chain: TestChain,
  account: PrivateKeyAccount,
  { to, value, behind, token = chain.token }: Transfer,
  wallet?: Address,
): Promise<Hex> {
  await chain.control.setBalance({ address: account.address, value: 10n ** 18n });
  const transfer = encodeFunctionData({
    abi: DevelopmentDollar.abi,
    functionName: "transfer",
    args: [to, value],
  });
  const execute = { abi: DevelopmentWallet.abi, functionName: "execute", args: [token, transfer] } as const;
  const data = wallet ? encodeFunctionData(execute) : transfer;
  const { maxFeePerGas, maxPriorityFeePerGas } = await chain.client.estimateFeesPerGas();
  return await account.signTransaction({
    ...{ type: "eip1559", chainId: chain.id, to: wallet ?? token, data: concatHex([data, behind]) },
    nonce: await chain.client.getTransactionCount({ address: account.address }),
    ...{ gas: 200_000n, maxFeePerGas, maxPriorityFeePerGas },
  });
}

/** Sends a transfer and awaits its block. */
export async function sendTransfer(...transfer: Parameters<typeof signTransfer>): Promise<Hex> {
  const [{ client }] = transfer;
  const hash = await client.sendRawTransaction({ serializedTransaction: await signTransfer(...transfer) });
  await client.waitForTransactionReceipt({ hash });
  return hash;
}
