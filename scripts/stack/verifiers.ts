import { existsSync } from "node:fs";
import path from "node:path";
import { type Address, createPublicClient, createWalletClient, defineChain, getAddress, http } from "viem";
import { type CircuitId, circuitIds, type Deployment } from "@/lib/proofs/deployment";
import { circuits } from "@/lib/proofs/registry";
import { loadArtifact } from "@/prover/barretenberg/artifact";
import { deployVerifier } from "@/prover/barretenberg/deploy";
import { ensureKeys, requiredPoints } from "@/prover/barretenberg/keys";
import { ensureSrs } from "@/prover/barretenberg/srs";
import type { CircuitKeys, Progress, PublicInputLayout } from "@/prover/barretenberg/types";
import { developmentAccount } from "./accounts";
import type { LocalChain } from "./chains";
import type { ContractBook } from "./contract-book";
import type { Reporter } from "./progress";
import { ROOT } from "./root";

/** What each slow step of the proving set-up is called on screen. */
const STEP_NAMES: Record<Progress["step"], string> = {
  "download-srs": "downloading",
  "development-srs": "making development points",
  "verification-key": "verification key",
  "solidity-verifier": "verifier source",
  "compile-verifier": "compiling the verifier",
};

/**
 * Makes sure that setup data, keys and, on each circuit's chain, a verifier for exactly these keys exist.
 * All are cached: a second start takes under a second. Other setup data or another build of a circuit give
 * another key, and with it another verifier.
 */
export async function ensureVerifiers(
  book: ContractBook,
  chains: readonly LocalChain[],
  reporter: Reporter,
): Promise<Pick<Deployment, "srs" | "verifiers">> {
  const built = circuitIds.filter((id) => existsSync(artifactFile(id)));
  const artifacts = await Promise.all(built.map((id) => loadArtifact(artifactFile(id))));

  const srs = await reporter.step("Setup data (SRS)", async (step) => {
    const found = await ensureSrs({
      points: await requiredPoints(artifacts),
      onProgress: (p) => step.progress(p.fraction, STEP_NAMES[p.step]),
    });
    step.detail(`${found.kind}, ${found.points.toLocaleString("en")} points`);
    return found;
  });

  const verifiers: Deployment["verifiers"] = {};
  await reporter.step("Keys and verifiers", async (step) => {
    for (const [index, artifact] of artifacts.entries()) {
      const id = built[index];
      if (!id) continue;
      const keys = await ensureKeys({
        artifact,
        srs,
        onProgress: (p) =>
          step.progress((index + p.fraction) / artifacts.length, `${id}: ${STEP_NAMES[p.step]}`),
      });
      step.detail(`${id}: deploying`);
      const chainId = circuits[id].verificationChainId;
      verifiers[id] = { chainId, address: await ensureVerifier(book, chains, id, keys), vkHash: keys.vkHash };
    }
    step.detail(built.join(", "));
  });
  return { srs: { kind: srs.kind, digest: `0x${srs.digest}` }, verifiers };
}

/** Where a compiled circuit is committed. */
export function artifactFile(circuit: CircuitId): string {
  return path.join(ROOT, "circuits", "artifacts", `${circuit}.json`);
}

async function ensureVerifier(
  book: ContractBook,
  chains: readonly LocalChain[],
  circuit: CircuitId,
  keys: CircuitKeys,
): Promise<Address> {
  const chain = chains.find((c) => c.id === circuits[circuit].verificationChainId);
  if (!chain) throw new Error(`no local chain for the verifier of ${circuit}`);
  const { rpcUrl } = chain.anvil;
  const where = {
    chainId: chain.id,
    rpcUrl,
    name: `verifier:${circuit}`,
    fingerprint: `${keys.vkHash}:${keys.srs.digest}`,
  };
  const { address } = await book.ensure(where, async () => {
    const description = defineChain({
      id: chain.id,
      name: chain.name,
      nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
      rpcUrls: { default: { http: [rpcUrl] } },
    });
    const transport = http(rpcUrl);
    const wallet = createWalletClient({
      account: developmentAccount("deployer"),
      chain: description,
      transport,
    });
    const client = createPublicClient({ chain: description, transport, pollingInterval: 100 });
    const deployed = await deployVerifier(wallet, client, keys, publicInputLayout(circuit));
    return getAddress(deployed.front);
  });
  return address;
}

/** The circuit's words as the verifier front checks them: all that the registry calls bytes are below 256. */
function publicInputLayout(circuit: CircuitId): PublicInputLayout {
  const { layout, publicWords } = circuits[circuit];
  const byteRows = layout.filter((row) => row.encoding !== "limb120" && row.encoding !== "uint");
  return { count: publicWords, byteWords: byteRows.map(({ from, count }) => ({ from, count })) };
}
