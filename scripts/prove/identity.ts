import { contract } from "@/lib/contract";
import {
  awaitDeviceLogin,
  BuyProofError,
  buyProof,
  ProverError,
  resumeProof,
  startDeviceLogin,
} from "@/lib/proofs/client";
import type { Deployment, Issuer, Provider } from "@/lib/proofs/deployment";
import type { ProveResult } from "@/lib/proofs/wire";
import { UsageError } from "./options";
import { type Options } from "./rules";
import { memberOf, type Purchase, type World } from "./world";

const circuit = "oidc_domain_attestation";

/** Only the prover's forgetting or failing makes the token of a paid proof needed again. */
const needsToken = new Set(["INPUTS_NEEDED", "PROVE_FAILED"]);

/**
 * A proof of an email domain. What is paid is continued before anybody has to sign in again; the token itself is kept
 * nowhere.
 * @returns what buys it, once somebody confirmed
 * @throws UsageError; the returned function DeviceFlowError, and as `buyProof`
 */
export async function proveIdentity(
  options: Options,
  world: World,
  purchase: Purchase,
): Promise<() => Promise<ProveResult>> {
  const { deployment, tell } = world;
  const provider = options.provider ?? "provider_a";
  const issuer = issuerOf(deployment, provider);
  const scope = options.scope ?? deployment.scope;
  tell.say(`${circuit}: an address at the domain that ${issuer.label} signs for (scope "${scope}")`);
  return async () => {
    if (options.job !== null) {
      const resumed = await resumeProof({ ...purchase, circuit }).catch((error: unknown) => {
        const lacks =
          (error instanceof BuyProofError || error instanceof ProverError) && needsToken.has(error.code);
        if (!lacks) throw error;
        if (options.tokenFile === null) throw new UsageError(tokenGone);
      });
      if (resumed) return resumed;
    }
    // Before the token: one without nonce counts as fresh only when it is younger than the challenge.
    if (options.join) await memberOf(world).call(contract.auth.challenge, {});
    const jwt = await tokenOf(options.tokenFile, issuer, world);
    return buyProof({
      ...purchase,
      circuit,
      inputs: { jwt, scope, provider },
      wallet: world.payer,
    });
  };
}

const tokenGone =
  "The prover needs the identity token of that payment once more. It was not kept: give the same one with --token-file. The payment buys a proof of that token only, and stands as a credit at the prover.";

function issuerOf({ issuers }: Deployment, provider: Provider): Issuer {
  const issuer = issuers.find((one) => one.provider === provider);
  if (issuer) return issuer;
  const known = issuers.map((one) => one.provider).join(", ");
  throw new UsageError(`No identity provider has those rules here. Here: ${known || "none"}.`);
}

async function tokenOf(file: string | null, issuer: Issuer, world: World): Promise<string> {
  if (file !== null) {
    const token = (file === "-" ? await world.readInput() : await readTokenFile(file, world)).trim();
    if (token === "") throw new UsageError("--token-file holds no identity token.");
    return token;
  }
  const login = await startDeviceLogin(issuer, { fetch: world.fetch });
  world.tell.login(login);
  return awaitDeviceLogin(issuer, login, { fetch: world.fetch });
}

async function readTokenFile(file: string, world: World): Promise<string> {
  return world.readFile(file).catch(() => {
    throw new UsageError("The file of --token-file cannot be read.");
  });
}
