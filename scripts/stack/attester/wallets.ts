import type { Address } from "viem";
import type { AttestationChainId } from "@/contracts/attestation";
import { type AttestedCircuit, attestedCircuits, attestersOf } from "@/lib/proofs/trust/attesters";
import { developmentAccount, type Role } from "../accounts";
import { attestationChain } from "./attester";
import { RegistryIndex } from "./registry-index";

/** Development wallets that are attested from the start, and where their holders are said to live. */
export const ATTESTED_WALLETS: readonly { role: Role; country: string }[] = [
  { role: "browser", country: "FR" },
  { role: "journey", country: "DE" },
  { role: "demo", country: "KR" },
];

/**
 * Has every development wallet attested that never was. Once only: what a developer has revoked or changed stays as
 * it is over a restart.
 * @param attesterUrl of the running development attester
 * @param rpcUrls of the chains it attests on
 * @returns how many attestations were made now
 * @throws Error with the attester's answer when it refuses
 */
export async function attestDevelopmentWallets(
  attesterUrl: string,
  rpcUrls: Readonly<Record<AttestationChainId, string>>,
): Promise<number> {
  let made = 0;
  for (const circuit of attestedCircuits) {
    const index = new RegistryIndex(
      rpcUrls[attestationChain(circuit)],
      attestersOf("development")[circuit].registry,
    );
    for (const { role, country } of ATTESTED_WALLETS) {
      const { address } = developmentAccount(role);
      if (await wasAttested(index, circuit, address)) continue;
      const response = await fetch(`${attesterUrl}/attest`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          ...{ circuit, address },
          ...(circuit === "partner_country_attestation" ? { country } : {}),
        }),
      });
      if (!response.ok) throw new Error(`the ${role} wallet was not attested: ${await response.text()}`);
      made++;
    }
  }
  return made;
}

async function wasAttested(index: RegistryIndex, circuit: AttestedCircuit, recipient: Address) {
  const { contract: attester, schema: schemaId } = attestersOf("development")[circuit];
  return (await index.find({ recipient, attester, schemaId })).length > 0;
}
