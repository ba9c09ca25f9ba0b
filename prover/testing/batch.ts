import { type Address, concatHex, encodeFunctionData, getAddress, type Hex, pad, size, toHex } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { DevelopmentDollar } from "@/contracts/index";
import type { SignedAuthorization, TestChain } from "./chain";

/**
 * Calls one contract many times in one transaction: calldata is the contract's address and then, for each call, the
 * length of its data (32 bytes) and the data. Reverts when a call does.
 */
const batcher =
  "0x60205b368110600a57005b80359060200181815f375f5f835f5f5f355af115602657016002565b5f5ffd" as const;

/** Submits signed authorizations in one transaction, in their order. @returns its hash, before it is mined */
export async function submitTogether(
  chain: TestChain,
  all: readonly SignedAuthorization[],
  fees?: { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint },
): Promise<Hex> {
  const { control } = chain;
  const to: Address = getAddress(privateKeyToAddress(generatePrivateKey()));
  await control.setCode({ address: to, bytecode: batcher });
  const calls = all.map(({ authorization: a, signature }) => {
    const amounts = [BigInt(a.value), BigInt(a.validAfter), BigInt(a.validBefore)] as const;
    return encodeFunctionData({
      abi: DevelopmentDollar.abi,
      functionName: "transferWithAuthorization",
      args: [a.from, a.to, ...amounts, a.nonce, signature],
    });
  });
  const parts = calls.flatMap((call) => [toHex(size(call), { size: 32 }), call]);
  const data = concatHex([pad(chain.token), ...parts]);
  return await chain.client.sendTransaction({ to, data, gas: 2_000_000n, ...fees });
}
