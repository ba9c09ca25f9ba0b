import { ApiError } from "@/lib/client";
import { contract } from "@/lib/contract";
import { readAction } from "@/lib/proofs/attestation/action";
import {
  awaitDeviceLogin,
  BuyProofError,
  buyProof,
  ProverError,
  resumeProof,
  startDeviceLogin,
} from "@/lib/proofs/client";
import { type AttestedStatement, signingRequest } from "@/lib/proofs/client/attested";
import type { Deployment, Issuer, PaymentOffer, Provider } from "@/lib/proofs/deployment";
import type { AttestedCircuit } from "@/lib/proofs/trust/attesters";
import type { ProveResult } from "@/lib/proofs/wire";
import { UsageError } from "./options";
import type { Options } from "./rules";
import { amountText, networkName, requestText, statementLine } from "./show";
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
async function proveIdentity(
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

/** What the command prints. */
export type Outcome =
  | { readonly circuit: string; readonly proof: string; readonly publicInputs: readonly string[] }
  | { readonly joined: string; readonly status: "member" | "pending" };

/** The person said no, or nobody was there to say yes. Nothing was signed or paid. */
export class NotConfirmedError extends Error {
  override readonly name = "NotConfirmedError";
}

/** The verifier contract does not accept the proof. */
export class RefusedProofError extends Error {
  override readonly name = "RefusedProofError";
}

/**
 * One proof from what was asked to what came of it.
 * @throws UsageError, NotConfirmedError, RefusedProofError, ApiError, and as `proveAttested` and `proveIdentity`.
 */
export async function run(options: Options, world: World): Promise<Outcome> {
  const { deployment, tell, store } = world;
  const offer = offerOf(deployment, options);
  if (options.job !== null && !(await store.get(options.job))) {
    throw new UsageError("No payment is kept under the name of --job on this machine.");
  }
  const job = options.job ?? world.newJob();
  const progress = { paid: false };
  const purchase: Purchase = {
    proverUrl: deployment.services.proverUrl,
    expectedOffers: deployment.offers,
    allowGateway: offer.settlement === "gateway",
    accept: (offers) => offers.find((one) => networkName(one) === networkName(offer)),
    maxAmount: options.maxPrice ?? BigInt(offer.amount),
    store,
    jobKey: job,
    fetch: world.fetch,
    onProgress: (event) => {
      if (event.stage === "payment") progress.paid = true;
      tell.progress(event, offer);
    },
  };
  const { buy, answering } = await prepare(options, world, purchase);
  tell.say(
    `Price: at most ${amountText({ ...offer, amount: String(purchase.maxAmount) })}, from ${world.payer.address}`,
  );
  await confirm(options, world);
  tell.job(job);
  try {
    const result = await buy();
    if ((await world.verify(deployment, result)) !== "valid") {
      throw new RefusedProofError("The verifier contract does not accept the proof.");
    }
    tell.say("The verifier contract accepts the proof.");
    const outcome = options.join ? await join(options.join, result, world) : toOutcome(result);
    await store.delete(job);
    return outcome;
  } catch (error) {
    // What the community refuses for good is not cured by doing it again.
    const refused = error instanceof ApiError && error.status < 500;
    const paid = progress.paid || options.job !== null;
    if (paid && !refused) tell.resumable(job, answering);
    throw error;
  } finally {
    tell.end();
  }
}

/** What is ready to be bought, once somebody confirmed. */
interface Ready {
  readonly buy: () => Promise<ProveResult>;
  /** The nonce an identity proof answers. */
  readonly answering: string | null;
}

/** Settles what is to be proven and shows it in full. Nothing is signed yet. */
async function prepare(options: Options, world: World, purchase: Purchase): Promise<Ready> {
  const { tell, deployment } = world;
  if (options.circuit === "oidc_domain_attestation") {
    return { buy: await proveIdentity(options, world, purchase), answering: null };
  }
  const holder = world.holder();
  const { statement, answering } = await statementOf({ ...options, circuit: options.circuit }, world);
  const request = signingRequest({ ...statement, user: holder.address });
  tell.say(statementLine(statement));
  tell.say(requestText(request));
  // An action's hashes are all that is sent; what was shown and what is signed must be the same all the same.
  const shown = request.kind === "action" ? JSON.stringify(request.lines) : null;
  const buy = () =>
    world.prove({
      ...statement,
      ...purchase,
      deployment,
      attestationWallet: holder,
      paymentWallet: world.payer,
      confirmAction: async (lines) => JSON.stringify(lines) === shown,
    });
  return { buy, answering };
}

/** The offer that is paid: the named one, or the first that needs no deposit with a gateway. */
function offerOf({ offers }: Deployment, { network, maxPrice }: Options): PaymentOffer {
  const offer = offers.find((one) =>
    network === null ? one.settlement !== "gateway" : networkName(one) === network,
  );
  if (!offer) {
    const known = offers.map(networkName).join(", ");
    throw new UsageError(`No payment is taken on that network. Here: ${known || "none"}.`);
  }
  if (maxPrice !== null && BigInt(offer.amount) > maxPrice) {
    throw new UsageError(`The price is ${amountText(offer)}, more than --max-price.`);
  }
  return offer;
}

async function confirm({ yes }: Options, { ask }: World): Promise<void> {
  if (yes) return;
  if (!ask)
    throw new NotConfirmedError("Nobody is here to confirm: add --yes to sign and pay without asking.");
  if (!(await ask("Sign and pay?")))
    throw new NotConfirmedError("Not confirmed. Nothing was signed or paid.");
}

function toOutcome({ circuit, proof, publicInputs }: ProveResult): Outcome {
  return { circuit, proof, publicInputs };
}

/** @throws ApiError, the documented refusals of a join */
async function join(topicId: string, { proof, publicInputs }: ProveResult, world: World): Promise<Outcome> {
  const body = { topicId, proof, publicInputs };
  const { status } = await memberOf(world).callWithStatus(contract.topics.join, body);
  return { joined: topicId, status: status === 202 ? "pending" : "member" };
}

type StatementWorld = Pick<World, "deployment" | "member" | "readFile">;

interface Asked {
  readonly statement: AttestedStatement;
  /** The nonce an identity proof answers. */
  readonly answering: string | null;
}

/**
 * What is to be proven of a wallet: from the command line, the action's file, the topic and a challenge.
 * @throws UsageError, ApiError, ProofInputError ACTION_INVALID
 */
async function statementOf(
  options: Options & { readonly circuit: AttestedCircuit },
  world: StatementWorld,
): Promise<Asked> {
  const { circuit } = options;
  const scope = options.scope ?? world.deployment.scope;
  if (circuit === "partner_country_attestation") {
    const list = options.countries
      ? { countries: options.countries, isIncluded: !options.excluded }
      : await listOfTopic(options.join ?? "", world);
    // The proof itself has no room for a challenge; that one is open shows whose proof it is.
    if (options.join) await memberOf(world).call(contract.auth.challenge, {});
    return { statement: { circuit, scope, list }, answering: null };
  }
  if (options.actionFile !== null) {
    const action = readAction(parseJson(await world.readFile(options.actionFile)));
    return { statement: { circuit, scope, action }, answering: null };
  }
  const nonce = options.nonce ?? (await memberOf(world).call(contract.auth.challenge, {})).nonce;
  return { statement: { circuit, scope, nonce }, answering: nonce };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError("The file of --action is not JSON.");
  }
}

/** Exactly the topic's own list: a shorter one would tell more about the holder than the topic asks. */
async function listOfTopic(topicId: string, world: StatementWorld) {
  const { topic } = await memberOf(world).call(contract.topics.get, { topicId });
  if (topic.allowedCountries) return { countries: topic.allowedCountries, isIncluded: true };
  if (topic.excludedCountries) return { countries: topic.excludedCountries, isIncluded: false };
  throw new UsageError("That topic does not ask for countries.");
}
