import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import path from "node:path";
import { createPublicClient, createWalletClient, defineChain, http } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { ANVIL_MNEMONIC, type Anvil, startAnvil } from "@/contracts/anvil";
import type { Deployment } from "@/lib/proofs/deployment";
import { publicInputLayout } from "@/lib/proofs/registry";
import { CEREMONY_CRS } from "@/lib/proofs/testing/crs";
import { testIssuer } from "@/lib/proofs/testing/tokens";
import { testDeployment } from "@/lib/testing/deployment";
import { deployVerifier } from "@/prover/barretenberg/deploy";
import { ensureKeys } from "@/prover/barretenberg/keys";
import { ensureSrs } from "@/prover/barretenberg/srs";
import { compileSource } from "@/prover/barretenberg/test/circuits";
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
  const anvil = await startAnvil({ chainId: CHAIN_ID });
  const artifact = await compileSource(CIRCUIT, SMALL_CIRCUIT);
  const srs = await ensureSrs({ points: 32_768, path: CEREMONY_CRS });
  const keys = await ensureKeys({ artifact, srs });
  const chain = chainOn(anvil);
  const wallet = createWalletClient({ ...chain, account: mnemonicToAccount(ANVIL_MNEMONIC) });
  const client = createPublicClient({ ...chain, pollingInterval: 20 });
  const { front } = await deployVerifier(wallet, client, keys, publicInputLayout(CIRCUIT));
  const provider = await startProvider(email);

  const home = await appHome(
    description(anvil.rpcUrl, provider.url, {
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
    rpcUrl: anvil.rpcUrl,
    front,
  };
  console.log(JSON.stringify(where));
  await once(process.stdin.resume(), "close");
  await app.kill("SIGKILL");
  provider.server.close();
  await anvil.stop();
  await rm(home.settings.home, { recursive: true, force: true });
  process.exit();
}

function chainOn({ rpcUrl }: Anvil) {
  const nativeCurrency = { name: "Ether", symbol: "ETH", decimals: 18 };
  const chain = defineChain({
    id: CHAIN_ID,
    name: "test",
    nativeCurrency,
    rpcUrls: { default: { http: [] } },
  });
  return { chain, transport: http(rpcUrl) };
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

interface Provider {
  readonly url: string;
  readonly server: Server;
}

/** An identity provider that asks nothing. */
async function startProvider(email: string): Promise<Provider> {
  const key = await testIssuer("test-key");
  const tokens: string[] = [];
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    if (pathname === "/jwks") return response.end(JSON.stringify({ keys: [key.jwk] }));
    if (pathname === "/signed") return response.end(JSON.stringify(tokens));
    const now = Math.floor(Date.now() / 1000);
    const token = await key.sign({
      ...{ iss: url(server), aud: searchParams.get("client_id"), sub: "1", email, email_verified: true },
      ...{ nonce: searchParams.get("nonce"), iat: now, exp: now + 600 },
    });
    tokens.push(token);
    const answer = new URLSearchParams({ id_token: token, state: searchParams.get("state") ?? "" });
    response.writeHead(302, { location: `${searchParams.get("redirect_uri")}#${answer}` }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: url(server), server };
}

function url(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return `http://127.0.0.1:${address.port}`;
}

await main(process.argv[2] ?? "");
