import { type Address, type Hex, publicActions } from "viem";
import { DevelopmentDollar } from "@/contracts/index";
import { type LocalChain, startLocalChain } from "@/contracts/local-chain";

/** A local chain with the development dollar on it. */
export interface TestChain extends Omit<LocalChain, "client"> {
  token: Address;
  reader: LocalChain["client"];
  /** Reads, and writes from the first account. */
  client: ReturnType<typeof readingWallet>;
  mint(to: Address, amount: bigint): Promise<void>;
  balance(of: Address): Promise<bigint>;
  /** Submits a signed authorization as anybody could. */
  submit(signed: SignedAuthorization): Promise<Hex>;
  /** Mines no block until the work is done. */
  withoutBlocks<T>(work: () => Promise<T>): Promise<T>;
}

export interface SignedAuthorization {
  signature: Hex;
  authorization: {
    from: Address;
    to: Address;
    value: string;
    validAfter: string;
    validBefore: string;
    nonce: Hex;
  };
}

function readingWallet(local: LocalChain) {
  return local.wallet(0).extend(publicActions);
}

/** @param at where the token is to be; default wherever its deployment puts it */
export async function startTestChain(id: number, at?: Address): Promise<TestChain> {
  const local = await startLocalChain(id, `test ${id}`);
  const client = readingWallet(local);
  const mined = async (hash: Hex) => await client.waitForTransactionReceipt({ hash });
  const { abi, bytecode } = DevelopmentDollar;
  const token = at ? await local.place(bytecode, at) : await local.deploy({ abi, bytecode });
  return {
    ...local,
    token,
    reader: local.client,
    client,
    async mint(to, amount) {
      await mined(
        await client.writeContract({ address: token, abi, functionName: "mint", args: [to, amount] }),
      );
    },
    async balance(of) {
      return await client.readContract({ address: token, abi, functionName: "balanceOf", args: [of] });
    },
    async submit({ authorization: a, signature }) {
      const hash = await client.writeContract({
        address: token,
        abi,
        functionName: "transferWithAuthorization",
        args: [
          a.from,
          a.to,
          BigInt(a.value),
          BigInt(a.validAfter),
          BigInt(a.validBefore),
          a.nonce,
          signature,
        ],
      });
      await mined(hash);
      return hash;
    },
    async withoutBlocks(work) {
      await local.control.setAutomine(false);
      try {
        return await work();
      } finally {
        await local.control.mine({ blocks: 1 });
        await local.control.setAutomine(true);
      }
    },
  };
}
