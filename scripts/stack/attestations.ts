import { ATTESTATION_CHAINS, type AttestationChainId, installAttestation } from "@/contracts/attestation";
import type { LocalChain } from "@/contracts/local-chain";
import type { Deployment } from "@/lib/proofs/deployment";
import { attestDevelopmentWallets } from "./attester/wallets";
import type { Children } from "./children";
import { attesterProgram } from "./programs";
import type { Reporter } from "./progress";
import type { StackSettings } from "./settings";

/** RPC addresses of the chains on which wallets are attested. */
export type AttestationRpcUrls = Readonly<Record<AttestationChainId, string>>;

/** Puts registry and attester on the local chains, each where the circuits have it compiled in. */
export async function ensureAttestationContracts(
  chains: readonly LocalChain[],
  reporter: Reporter,
): Promise<AttestationRpcUrls> {
  const rpcUrl = (id: AttestationChainId) => {
    const chain = chains.find((each) => each.id === id);
    if (!chain) throw new Error(`the stack has no chain ${id}`);
    return chain.anvil.rpcUrl;
  };
  const urls = { 8453: rpcUrl(8453), 91342: rpcUrl(91342) };
  await reporter.step("Attestation contracts", async (step) => {
    for (const id of ATTESTATION_CHAINS) await installAttestation(urls[id], id);
    step.detail(ATTESTATION_CHAINS.join(", "));
  });
  return urls;
}

/** Where attestations are looked up in development. */
export function attestationSources(settings: StackSettings): NonNullable<Deployment["attestations"]> {
  return { graphqlUrl: `${attesterUrl(settings)}/graphql`, explorerUrl: attesterUrl(settings) };
}

/** Starts the development attester and has the development wallets attested. */
export async function startAttester(
  settings: StackSettings,
  rpcUrls: AttestationRpcUrls,
  children: Children,
  reporter: Reporter,
): Promise<void> {
  await reporter.step("Development attester", async (step) => {
    await children.start(attesterProgram(settings, rpcUrls));
    const made = await attestDevelopmentWallets(attesterUrl(settings), rpcUrls);
    if (made > 0) step.detail(`${made} attestations of the development wallets`);
  });
}

function attesterUrl({ ports }: StackSettings): string {
  return `http://localhost:${ports.attester}`;
}
