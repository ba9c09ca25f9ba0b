import { readFile } from "node:fs/promises";
import path from "node:path";
import { type Abi, createPublicClient, createWalletClient, defineChain, type Hex, http } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { ANVIL_MNEMONIC, startAnvil } from "../anvil";
import { compileSolidity } from "../compile";

/** The accounts of the default mnemonic. */
export const account = (addressIndex: number) => mnemonicToAccount(ANVIL_MNEMONIC, { addressIndex });

/** A fresh chain for one test file, with clients and a deploy helper; call `stop` in afterAll. */
export async function testChain(chainId = 8453) {
  const anvil = await startAnvil({ chainId });
  const chain = defineChain({
    id: chainId,
    name: "test",
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [anvil.rpcUrl] } },
  });
  const transport = http(anvil.rpcUrl);
  const client = createPublicClient({ chain, transport, pollingInterval: 20 });
  const wallet = (index: number) => createWalletClient({ account: account(index), chain, transport });
  const deploy = async (contract: { abi: Abi; bytecode: Hex }, args: unknown[] = []) => {
    const hash = await wallet(0).deployContract({
      ...contract,
      args,
    });
    const { contractAddress } = await client.waitForTransactionReceipt({ hash });
    if (!contractAddress) throw new Error("not deployed");
    return contractAddress;
  };
  return { anvil, chain, client, wallet, deploy, stop: anvil.stop };
}

/** Creation bytecode of a contract in contracts/test/doubles.sol. */
export async function double(name: string): Promise<Hex> {
  const source = await readFile(path.join(import.meta.dirname, "doubles.sol"), "utf8");
  const contract = compileSolidity({ "doubles.sol": source }, { allowWarnings: true })[name];
  if (!contract) throw new Error(`no double ${name}`);
  return `0x${contract.bytecode.slice(2)}`;
}
