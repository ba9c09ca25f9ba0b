import type { Address } from "viem";
import { ATTESTATION_CHAINS, type AttestationChainId, installAttestation } from "@/contracts/attestation";
import type { LocalChain } from "@/contracts/local-chain";
import type { Deployment } from "@/lib/proofs/deployment";
import { type AttestedCircuit, attestedCircuits, attestersOf } from "@/lib/proofs/trust/attesters";
import { developmentAccount, type Role } from "./accounts";
import { attestationChain } from "./attester/attester";
import { RegistryIndex } from "./attester/registry-index";
import type { Children } from "./children";
import { attesterProgram } from "./programs";
import type { Reporter } from "./progress";
import type { StackSettings } from "./settings";

/** RPC addresses of the chains on which wallets are attested. */
export type AttestationRpcUrls = Readonly<Record<AttestationChainId, string>>;

/** Installs the registry and the attester on the local chains, at the addresses compiled into the circuits. */
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

/** Returns the sources in which development looks up attestations. */
export function attestationSources(settings: StackSettings): NonNullable<Deployment["attestations"]> {
  return { graphqlUrl: `${attesterUrl(settings)}/graphql`, explorerUrl: attesterUrl(settings) };
}

/** Starts the development attester and has it attest the development wallets. */
export async function startAttester(
  settings: StackSettings,
  rpcUrls: AttestationRpcUrls,
  children: Children,
  reporter: Reporter,
): Promise<void> {
  await reporter.step("Development attester", async (step) => {
    await children.start(attesterProgram(settings, rpcUrls));
    const made = await attestDevelopmentWallets(attesterUrl(settings), rpcUrls);
    if (made > 0) step.detail(`${made} development wallet attestations`);
  });
}

function attesterUrl({ ports }: StackSettings): string {
  return `http://localhost:${ports.attester}`;
}

/** Development wallets that are attested from the start, with the country of residence to attest. */
export const ATTESTED_WALLETS: readonly { role: Role; country: string }[] = [
  { role: "browser", country: "FR" },
  { role: "journey", country: "DE" },
  { role: "demo", country: "KR" },
];

/**
 * Attests every development wallet that was never attested. What a developer has revoked or changed survives a restart.
 * @param attesterUrl of the running development attester
 * @param rpcUrls of the chains it attests on
 * @returns how many attestations it made now
 * @throws Error with the attester's response when it refuses
 */
async function attestDevelopmentWallets(attesterUrl: string, rpcUrls: AttestationRpcUrls): Promise<number> {
  let made = 0;
  for (const circuit of attestedCircuits) {
    const index = new RegistryIndex(
      rpcUrls[attestationChain(circuit)],
      attestersOf("development")[circuit].registry,
    );
    for (const { role, country } of ATTESTED_WALLETS) {
      const { address } = developmentAccount(role);
      if (await wasAttested(index, circuit, address)) continue;
      const isCountry = circuit === "partner_country_attestation";
      await attestWallet(attesterUrl, { circuit, address, country: isCountry ? country : undefined });
      made++;
    }
  }
  return made;
}

/** Has the development attester attest a wallet. @throws Error with its response when it refuses */
export async function attestWallet(
  attesterUrl: string,
  request: { circuit: AttestedCircuit; address: string; country?: string },
): Promise<void> {
  const response = await fetch(new URL("/attest", attesterUrl), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(request),
  });
  if (!response.ok) throw new Error(`${request.address} was not attested: ${await response.text()}`);
}

async function wasAttested(index: RegistryIndex, circuit: AttestedCircuit, recipient: Address) {
  const { contract: attester, schema: schemaId } = attestersOf("development")[circuit];
  return (await index.find({ recipient, attester, schemaId })).length > 0;
}
