import { existsSync } from "node:fs";
import { type Address, getAddress } from "viem";
import type { LocalChain } from "@/contracts/local-chain";
import { type CircuitId, circuitIds, type Deployment } from "@/lib/proofs/deployment";
import { circuits, publicInputLayout } from "@/lib/proofs/registry";
import { artifactFile, loadArtifact } from "@/prover/barretenberg/artifact";
import { deployVerifier } from "@/prover/barretenberg/deploy";
import { ensureKeys } from "@/prover/barretenberg/keys";
import { requiredPoints } from "@/prover/barretenberg/points";
import { ensureSrs } from "@/prover/barretenberg/srs";
import type { CircuitKeys, Progress } from "@/prover/barretenberg/types";
import type { ContractBook } from "./contract-book";
import type { Reporter } from "./progress";

const STEP_NAMES: Record<Progress["step"], string> = {
  "download-srs": "downloading",
  "development-srs": "creating development points",
  "verification-key": "verification key",
  "solidity-verifier": "verifier source",
};

/**
 * Deploys a verifier for exactly these keys on each circuit's chain, unless it is there. Other setup data or another
 * build of a circuit gives another key and verifier.
 */
export async function ensureVerifiers(
  book: ContractBook,
  chains: readonly LocalChain[],
  { srs, keys }: ProvingKeys,
  reporter: Reporter,
): Promise<Pick<Deployment, "srs" | "verifiers">> {
  const verifiers: Deployment["verifiers"] = {};
  await reporter.step("Verifier contracts", async (step) => {
    for (const [id, circuitKeys] of keys) {
      step.detail(`${id}: deploying`);
      const chainId = circuits[id].verificationChainId;
      const address = await ensureVerifier(book, chains, id, circuitKeys);
      verifiers[id] = { chainId, address, vkHash: circuitKeys.vkHash };
    }
    step.detail([...keys.keys()].join(", "));
  });
  return { srs: { kind: srs.kind, digest: `0x${srs.digest}` }, verifiers };
}

async function ensureVerifier(
  book: ContractBook,
  chains: readonly LocalChain[],
  circuit: CircuitId,
  keys: CircuitKeys,
): Promise<Address> {
  const chain = chains.find((c) => c.id === circuits[circuit].verificationChainId);
  if (!chain) throw new Error(`no local chain for the verifier of ${circuit}`);
  const where = { name: `verifier:${circuit}`, fingerprint: `${keys.vkHash}:${keys.srs.digest}` };
  const { address } = await book.ensure(chain, where, async () => {
    const deployed = await deployVerifier(chain.wallet(0), chain.client, keys, publicInputLayout(circuit));
    return getAddress(deployed.front);
  });
  return address;
}

export type ProvingKeys = Awaited<ReturnType<typeof ensureProvingKeys>>;

/** Creates setup data, keys and verifier sources for every built circuit, in the development build. All are cached. */
export async function ensureProvingKeys(reporter: Reporter) {
  const built = circuitIds.filter((id) => existsSync(artifactFile(id, "development")));
  const artifacts = await Promise.all(built.map((id) => loadArtifact(artifactFile(id, "development"))));
  const srs = await reporter.step("Setup data (SRS)", async (step) => {
    const found = await ensureSrs({
      points: await requiredPoints(artifacts),
      onProgress: (p) => step.progress(p.fraction, STEP_NAMES[p.step]),
    });
    step.detail(`${found.kind}, ${found.points.toLocaleString("en")} points`);
    return found;
  });
  const keys = await reporter.step("Keys and verifiers", async (step) => {
    const made = new Map<CircuitId, CircuitKeys>();
    for (const [index, artifact] of artifacts.entries()) {
      const id = built[index];
      if (!id) continue;
      const onProgress = (p: Progress) =>
        step.progress((index + p.fraction) / artifacts.length, `${id}: ${STEP_NAMES[p.step]}`);
      made.set(id, await ensureKeys({ artifact, srs, onProgress }));
    }
    step.detail([...made].map(([id, { vkHash }]) => `${id} ${vkHash.slice(0, 10)}`).join(", "));
    return made;
  });
  return { srs, keys };
}
