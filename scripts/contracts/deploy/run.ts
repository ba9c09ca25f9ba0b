import { existsSync } from "node:fs";
import {
  createPublicClient,
  createWalletClient,
  defineChain,
  formatEther,
  formatGwei,
  http,
  type PublicClient,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { startLocalChain } from "@/contracts/local-chain";
import { publicInputLayout } from "@/lib/proofs/registry";
import {
  artifactFile,
  type CircuitKeys,
  ensureKeys,
  ensureSrs,
  loadArtifact,
  type OnProgress,
  type PublicInputLayout,
  requiredPoints,
} from "@/prover/barretenberg";
import { deployVerifier } from "@/prover/barretenberg/deploy";
import { type AddressEntry, readAddresses, writeAddress } from "./addresses";
import { codeHashes, codeProblems, honestProof, proofProblems } from "./check";
import { DeployError, type DeployOptions, isLocalChain } from "./options";

/** How a run ended. */
export type DeployResult =
  | { done: "deployed" | "already deployed"; entry: AddressEntry }
  | { done: "dry run"; entry: null };

export interface DeployHooks {
  /** Receives a line about every step. */
  say(line: string): void;
  onProgress?: OnProgress;
  /** Hosts of the ceremony's points; [] stays offline. */
  download?: readonly string[];
  /** Creates the proof that checks the deployment; by default a new one. */
  prove?: typeof honestProof;
}

/** Balance required beyond the estimate: the price of gas changes while four transactions are mined. */
const MARGIN_PERCENT = 25n;

/**
 * Deploys a circuit's verifier and its front, verifies the deployment (code byte for byte, and a real proof), and writes
 * the address file. Does nothing when a correct deployment exists.
 * @throws DeployError when the run is not possible or the deployment is not correct; SrsError without the ceremony's points
 */
export async function deployCircuit(options: DeployOptions, hooks: DeployHooks): Promise<DeployResult> {
  const { circuit, chainId, rpcUrl, development, addresses: file } = options;
  const { say, prove = honestProof } = hooks;
  const mode = development ? "development" : "production";
  const chain = defineChain({
    ...{ id: chainId, name: `chain ${chainId}`, rpcUrls: { default: { http: [rpcUrl] } } },
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    // See `viemChain` in prover/chains.ts.
    supportsTransactionReplacementDetection: false,
  });
  const client = createPublicClient({ chain, transport: http(rpcUrl) });
  await checkChain(client, options);

  const artifactPath = artifactFile(circuit, mode);
  if (!existsSync(artifactPath)) throw new DeployError(`${circuit} is not built: npm run circuits:build`);
  const artifact = await loadArtifact(artifactPath);
  const srs = await ensureSrs({
    points: await requiredPoints([artifact]),
    // A verifier on development points would accept forged proofs.
    require: development ? "development" : "ignition",
    ...{ download: hooks.download, onProgress: hooks.onProgress },
  });
  const keys = await ensureKeys({ artifact, srs, onProgress: hooks.onProgress });
  const layout = publicInputLayout(circuit);
  say(`${circuit}, ${mode} build: verification key ${keys.vkHash}, ${srs.kind} setup data ${srs.digest}`);

  const known = (await readAddresses(file))[chainId]?.[circuit];
  // The digest depends on the number of cached points; the verifier depends on the key and the origin of the points.
  const wanted = known?.vkHash === keys.vkHash && known.srsKind === srs.kind ? known : undefined;
  if (wanted) {
    const problems = await codeProblems(client, wanted, { keys, layout, tries: 1 });
    if (problems.length === 0) {
      say(`already at ${wanted.front}, code as expected`);
      return { done: "already deployed", entry: wanted };
    }
    // A chain on this machine may have been reset; a real one was not.
    if (!development) throw new DeployError(notRight(file, problems));
    say("the recorded contracts are gone: deploying again");
  } else if (known)
    say(`the verifier at ${known.front} is for another key: a new one replaces it in ${file}`);

  const account = options.key && privateKeyToAccount(options.key);
  await checkFunds(client, account?.address, await gasOf(keys, layout), say);
  if (options.dryRun) return { done: "dry run", entry: null };
  if (!account) throw new DeployError("DEPLOYER_KEY is not set: nothing was sent");

  const wallet = createWalletClient({ account, chain, transport: http(rpcUrl) });
  const deployed = await deployVerifier(wallet, client, keys, layout);
  say(`deployed: front ${deployed.front}, verifier ${deployed.verifier}, ${deployed.gasUsed} gas`);
  const problems = [
    ...(await codeProblems(client, deployed, { keys, layout })),
    ...(await proofProblems(
      { circuit, chainId, rpcUrl, front: deployed.front, vkHash: keys.vkHash },
      await prove({ circuit, mode, artifact, keys, srs }),
    )),
  ];
  if (problems.length > 0) throw new DeployError(notRight("the chain", problems));
  say("checked: the code matches the sources; a real proof is accepted, changed ones are not");
  const entry: AddressEntry = {
    ...{ front: deployed.front, verifier: deployed.verifier, libraries: deployed.libraries },
    ...{ vkHash: keys.vkHash, srsDigest: `0x${srs.digest}`, srsKind: srs.kind },
    codeHashes: await codeHashes(client, deployed),
    deployedAt: Number(deployed.blockNumber),
  };
  await writeAddress(file, { chainId, circuit }, entry);
  return { done: "deployed", entry };
}

async function checkChain(
  client: PublicClient,
  { chainId, rpcUrl, development }: DeployOptions,
): Promise<void> {
  const found = await client.getChainId();
  if (found !== chainId) throw new DeployError(`--rpc leads to chain ${found}, not ${chainId}`);
  if (!development) return;
  const version = await client.request({ method: "web3_clientVersion" });
  if (!isLocalChain(rpcUrl, version)) {
    throw new DeployError("--development is for an anvil on this machine: anybody can forge proofs for it");
  }
}

/** Returns the gas of the whole deployment, measured on a local chain. */
async function gasOf(keys: CircuitKeys, layout: PublicInputLayout): Promise<bigint> {
  const scratch = await startLocalChain(31337);
  try {
    return (await deployVerifier(scratch.wallet(0), scratch.client, keys, layout)).gasUsed;
  } finally {
    await scratch.stop();
  }
}

async function checkFunds(
  client: PublicClient,
  payer: `0x${string}` | undefined,
  gas: bigint,
  say: (line: string) => void,
): Promise<void> {
  const price = await client.getGasPrice();
  const cost = gas * price;
  say(`${gas} gas at ${formatGwei(price)} gwei: about ${formatEther(cost)} of the chain's coin`);
  if (!payer) return;
  const balance = await client.getBalance({ address: payer });
  say(`${payer} has ${formatEther(balance)}`);
  const needed = cost + (cost * MARGIN_PERCENT) / 100n;
  if (balance < needed) {
    throw new DeployError(`${payer} needs ${formatEther(needed)}, a margin included: nothing was sent`);
  }
}

function notRight(where: string, problems: readonly string[]): string {
  return `${where} does not match the sources:\n${problems.map((problem) => `  - ${problem}`).join("\n")}`;
}
