import { type Address, getAddress } from "viem";
import type { LocalChain } from "@/contracts/local-chain";
import type { CircuitId, Deployment } from "@/lib/proofs/deployment";
import { circuits, publicInputLayout } from "@/lib/proofs/registry";
import { deployVerifier } from "@/prover/barretenberg/deploy";
import type { CircuitKeys } from "@/prover/barretenberg/types";
import type { ContractBook } from "./contract-book";
import type { Reporter } from "./progress";
import { ensureProvingKeys } from "./proving-keys";

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
  const { srs, keys } = await ensureProvingKeys(reporter);
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
