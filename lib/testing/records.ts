import { type Address, type Hex, publicActions } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { RecordBoard } from "@/contracts";
import { startLocalChain } from "@/contracts/local-chain";
import { recordBoardAbi } from "@/lib/proofs/records";
import { testDeployment } from "./deployment";
import type { HarnessOptions } from "./harness";

const chainId = 8453;

/** A local chain with a record board and a funded wallet of ours: what a harness needs to record for real. */
export async function startRecordWorld() {
  const chain = await startLocalChain(chainId);
  const board = await chain.deploy(RecordBoard);
  const control = chain.control.extend(publicActions);

  /** A wallet with money, which nobody else uses. */
  async function wallet(value = 10n ** 18n): Promise<{ key: Hex; address: Hex }> {
    const key = generatePrivateKey();
    const address = privateKeyToAddress(key);
    await control.setBalance({ address, value });
    return { key, address };
  }

  return {
    chain,
    board,
    control,
    wallet,
    /** Options of a harness that records on this chain. */
    options: (key: Hex, recording: HarnessOptions["recording"] = {}): HarnessOptions =>
      recordingOn({ rpcUrl: chain.anvil.rpcUrl, board }, key, recording),
    /** Every record of a wallet on the board, in order. */
    async events(sender: Hex) {
      const logs = await control.getContractEvents({
        address: board,
        abi: recordBoardAbi,
        eventName: "Recorded",
        args: { sender },
        fromBlock: 0n,
      });
      return logs.map((log) => ({ ...log.args, hash: log.transactionHash }));
    },
    stop: () => chain.stop(),
  };
}
export type RecordWorld = Awaited<ReturnType<typeof startRecordWorld>>;

/** Options of a harness that records on this board with this key. */
export function recordingOn(
  { rpcUrl, board }: { readonly rpcUrl: string; readonly board: Address },
  key: Hex,
  recording: HarnessOptions["recording"] = {},
): HarnessOptions {
  const { chains } = testDeployment();
  return {
    env: { RECORD_KEY: key },
    deployment: {
      recordBoard: { chainId, address: board },
      chains: chains.map((each) => ({ ...each, rpcUrl, publicRpcUrl: rpcUrl })),
    },
    recording: { pollMs: 20, waitMs: 20_000, ...recording },
  };
}
