import {
  type Address,
  createTestClient,
  createWalletClient,
  defineChain,
  getAddress,
  type Hex,
  http,
  publicActions,
} from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { ANVIL_MNEMONIC, type Anvil, startAnvil } from "@/contracts/anvil";
import { DevelopmentDollar } from "@/contracts/index";

/** A local chain with the development dollar on it. */
export interface TestChain {
  id: number;
  anvil: Anvil;
  token: Address;
  client: ReturnType<typeof testClient>;
  mint(to: Address, amount: bigint): Promise<void>;
  balance(of: Address): Promise<bigint>;
  /** Submits a signed authorization as anybody could. */
  submit(signed: SignedAuthorization): Promise<Hex>;
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

function testClient(rpcUrl: string, id: number) {
  const chain = defineChain({
    id,
    name: `chain ${id}`,
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  });
  return createWalletClient({
    account: mnemonicToAccount(ANVIL_MNEMONIC),
    chain,
    transport: http(rpcUrl),
    pollingInterval: 50,
  }).extend(publicActions);
}

/** @param at where the token is to be; default wherever its deployment puts it */
export async function startTestChain(id: number, at?: Address): Promise<TestChain> {
  const anvil = await startAnvil({ chainId: id });
  const client = testClient(anvil.rpcUrl, id);
  const mined = async (hash: Hex) => await client.waitForTransactionReceipt({ hash });
  const { abi, bytecode } = DevelopmentDollar;
  const { contractAddress } = await mined(await client.deployContract({ abi, bytecode, args: [] }));
  if (!contractAddress) throw new Error("the token was not deployed");
  const token = getAddress(at ?? contractAddress);
  if (at) {
    const code = await client.getCode({ address: contractAddress });
    const control = createTestClient({ mode: "anvil", transport: http(anvil.rpcUrl) });
    await control.setCode({ address: at, bytecode: code ?? "0x" });
  }
  return {
    id,
    anvil,
    token,
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
  };
}
