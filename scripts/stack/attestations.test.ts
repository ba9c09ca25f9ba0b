import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findAttestation } from "@/lib/proofs/attestation/find";
import { type AttestedCircuit, attestedCircuits } from "@/lib/proofs/trust/attesters";
import { developmentAccount, type Role } from "./accounts";
import {
  ATTESTED_WALLETS,
  attestationSources,
  ensureAttestationContracts,
  startAttester,
} from "./attestations";
import { startChains } from "./chains";
import { Children } from "./children";
import { silentReporter } from "./progress";
import { type StackSettings, temporarySettings } from "./settings";

let settings: StackSettings;
beforeAll(async () => {
  settings = await temporarySettings({ home: await mkdtemp(path.join(os.tmpdir(), "parley-attest-")) });
});
afterAll(() => rm(settings.home, { recursive: true, force: true }));

/** Chains and attester as a start of the stack has them, stopped after the work. */
async function started<T>(
  work: (
    find: (circuit: AttestedCircuit, role: Role) => ReturnType<typeof findAttestation>,
    attesterUrl: string,
  ) => Promise<T>,
): Promise<T> {
  const children = new Children(path.join(settings.home, "logs"), () => {});
  try {
    const chains = await startChains(
      path.join(settings.home, "chains"),
      settings.ports.chains,
      children,
      () => {},
    );
    const rpcUrls = await ensureAttestationContracts(chains, silentReporter);
    await startAttester(settings, rpcUrls, children, silentReporter);
    const attestations = attestationSources(settings);
    const described = chains.map(({ description }) => description);
    const deployment = { mode: "development" as const, chains: described, attestations };
    return await work(
      (circuit, role) =>
        findAttestation({ deployment, circuit, recipient: developmentAccount(role).address }),
      attestations.explorerUrl ?? "",
    );
  } finally {
    await children.stop();
  }
}

it("the development wallets are attested at the first start, and stay as they are over later ones", async () => {
  const first = await started(async (find, attesterUrl) => {
    const hashes: string[] = [];
    for (const { role } of ATTESTED_WALLETS) {
      for (const circuit of attestedCircuits) hashes.push((await find(circuit, role)).transactionHash);
    }
    expect(new Set(hashes).size).toBe(9);
    expect((await find("partner_country_attestation", "browser")).country).toBe("FR");
    expect((await find("partner_country_attestation", "journey")).country).toBe("DE");
    expect((await find("partner_country_attestation", "demo")).country).toBe("KR");
    // A developer tries out what a revoked attestation looks like.
    const revoked = await fetch(`${attesterUrl}/revoke`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        circuit: "regional_attestation",
        address: developmentAccount("browser").address,
      }),
    });
    expect(revoked.status).toBe(200);
    return hashes;
  });

  await started(async (find) => {
    await expect(find("regional_attestation", "browser")).rejects.toMatchObject({
      code: "ATTESTATION_REVOKED",
    });
    expect(first).toContain((await find("network_eligibility", "browser")).transactionHash);
    expect(first).toContain((await find("regional_attestation", "demo")).transactionHash);
  });
}, 120_000);
