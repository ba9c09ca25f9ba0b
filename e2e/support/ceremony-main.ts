import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { startLocalChain } from "@/contracts/local-chain";
import type { Deployment } from "@/lib/proofs/deployment";
import { publicInputLayout } from "@/lib/proofs/registry";
import { CEREMONY_CRS } from "@/lib/proofs/testing/crs";
import { testDeployment } from "@/lib/testing/deployment";
import { deployVerifier } from "@/prover/barretenberg/deploy";
import { ensureKeys } from "@/prover/barretenberg/keys";
import { ensureSrs } from "@/prover/barretenberg/srs";
import { compileSource } from "@/prover/barretenberg/test/circuits";
import { startTestIdp } from "@/prover/testing/idp";
import { appHome } from "@/scripts/live/app-process";
import type { CeremonyPlaces } from "./ceremony-world";
import { SMALL_CIRCUIT } from "./small-circuit";

const CIRCUIT = "oidc_domain_attestation";
const CHAIN_ID = 8453;

/**
 * An installation on the ceremony's real points, with a small circuit in place of the real one: chain, verifier, identity
 * provider and app. A program of its own, because Playwright loads no JSON modules. Arguments: the address its provider
 * signs everybody in as. It prints one line that says where everything is, and ends with its standard input.
 */
async function main(email: string): Promise<void> {
  const chain = await startLocalChain(CHAIN_ID);
  const artifact = await compileSource(CIRCUIT, SMALL_CIRCUIT);
  const srs = await ensureSrs({ points: 32_768, path: CEREMONY_CRS });
  const keys = await ensureKeys({ artifact, srs });
  const { front } = await deployVerifier(chain.wallet(0), chain.client, keys, publicInputLayout(CIRCUIT));
  const { rpcUrl } = chain.anvil;
  const provider = await startTestIdp("provider_a", email);

  const home = await appHome(
    description(rpcUrl, provider.url, {
      srs: { kind: "ignition", digest: `0x${srs.digest}` },
      verifiers: { [CIRCUIT]: { chainId: CHAIN_ID, address: front, vkHash: keys.vkHash } },
    }),
  );
  const circuits = path.join(home.settings.home, "circuits");
  await mkdir(circuits);
  const text = JSON.stringify(artifact);
  await writeFile(path.join(circuits, `${CIRCUIT}.json`), text);
  const artifactSha256 = createHash("sha256").update(text).digest("hex");
  const entry = { artifactSha256, gates: 2 ** keys.logCircuitSize };
  await writeFile(path.join(circuits, "manifest.json"), JSON.stringify({ [CIRCUIT]: entry }));
  const app = await home.start({ PARLEY_CIRCUITS: circuits, CRS_PATH: CEREMONY_CRS, BROWSER_PROVING: "own" });

  const where: CeremonyPlaces = {
    url: app.url,
    providerUrl: provider.url,
    rpcUrl,
    front,
  };
  console.log(JSON.stringify(where));
  await once(process.stdin.resume(), "close");
  await app.kill("SIGKILL");
  await provider.close();
  await chain.stop();
  await rm(home.settings.home, { recursive: true, force: true });
  process.exit();
}

function description(
  rpcUrl: string,
  issuer: string,
  changes: Pick<Deployment, "srs" | "verifiers">,
): Partial<Deployment> {
  const usual = testDeployment();
  return {
    ...changes,
    chains: usual.chains.map((one) => ({ ...one, rpcUrl, publicRpcUrl: rpcUrl })),
    issuers: usual.issuers.map((one) => ({
      ...one,
      issuer,
      jwksUri: `${issuer}/jwks`,
      authorizationEndpoint: `${issuer}/auth`,
    })),
  };
}

await main(process.argv[2] ?? "");
