import { ApiError, type createClient } from "@/lib/client";
import { contract } from "@/lib/contract";
import { parseJson } from "@/lib/json";
import { readAction } from "@/lib/proofs/attestation/action";
import {
  awaitDeviceLogin,
  BuyProofError,
  buyProof,
  type PayingWallet,
  type PaymentStore,
  ProverError,
  resumeProof,
  startDeviceLogin,
} from "@/lib/proofs/client";
import {
  type AttestationWallet,
  type AttestedStatement,
  type ProveAttestedRequest,
  signingRequest,
} from "@/lib/proofs/client/attested";
import type { Deployment, Issuer, PaymentOffer, Provider } from "@/lib/proofs/deployment";
import type { AttestedCircuit } from "@/lib/proofs/trust/attesters";
import type { ProveResult } from "@/lib/proofs/wire";
import { type Options, UsageError } from "./options";
import { amountText, networkName, requestText, statementLine } from "./show";
import type { Teller } from "./tell";

const circuit = "oidc_domain_attestation";

/** Codes after which a paid proof needs its token again: the prover has deleted it, or failed. */
const NEEDS_TOKEN = new Set(["INPUTS_NEEDED", "PROVE_FAILED"]);

/**
 * Prepares a proof of an email domain. A paid proof resumes without another sign-in if possible; the token is stored
 * nowhere.
 * @returns a function that buys it, to call after confirmation
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
          (error instanceof BuyProofError || error instanceof ProverError) && NEEDS_TOKEN.has(error.code);
        if (!lacks) throw error;
        if (options.tokenFile === null) throw new UsageError(tokenGone);
      });
      if (resumed) return resumed;
    }
    // Before the token: one without a nonce counts as fresh only when it is younger than the challenge. That of a sign-in is
    // open already.
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
  "The prover needs the identity token of that payment again, and this machine did not store it. Pass the same token with --token-file. The payment buys a proof of that token only, and remains as a credit at the prover.";

function issuerOf({ issuers }: Deployment, provider: Provider): Issuer {
  const issuer = issuers.find((one) => one.provider === provider);
  if (issuer) return issuer;
  const known = issuers.map((one) => one.provider).join(", ");
  throw new UsageError(
    `This installation has no identity provider with those rules. Available: ${known || "none"}.`,
  );
}

async function tokenOf(file: string | null, issuer: Issuer, world: World): Promise<string> {
  if (file !== null) {
    const unreadable = () => {
      throw new UsageError("The file of --token-file cannot be read.");
    };
    const token = (
      file === "-" ? await world.readInput() : await world.readFile(file).catch(unreadable)
    ).trim();
    if (token === "") throw new UsageError("The file of --token-file is empty.");
    return token;
  }
  const login = await startDeviceLogin(issuer, { fetch: world.fetch });
  world.tell.login(login);
  return awaitDeviceLogin(issuer, login, { fetch: world.fetch });
}

/** The result that the command prints. */
export type Outcome =
  | { readonly circuit: string; readonly proof: string; readonly publicInputs: readonly string[] }
  | { readonly joined: string; readonly status: "member" | "pending" }
  | { readonly signedIn: string; readonly nickname: string | null };

/** The user declined, or nobody could confirm. Nothing was signed or paid. */
export class NotConfirmedError extends Error {
  override readonly name = "NotConfirmedError";
}

/** The verifier contract does not accept the proof. */
export class RefusedProofError extends Error {
  override readonly name = "RefusedProofError";
}

/**
 * Prepares, confirms, buys and verifies one proof, and joins a topic or signs in with it if asked to.
 * @throws UsageError, NotConfirmedError, RefusedProofError, ApiError, and as `proveAttested` and `proveIdentity`
 */
export async function run(options: Options, world: World): Promise<Outcome> {
  const { deployment, tell, store } = world;
  const offer = offerOf(deployment, options);
  if (options.job !== null && !(await store.get(options.job))) {
    throw new UsageError("This machine has no stored payment with the name of --job.");
  }
  const challenge = options.login && options.job === null ? await challengeOf(world) : null;
  // A payment for a sign-in has the name of its challenge, so that another run can answer it.
  const job = options.job ?? challenge?.challengeId ?? world.newJob();
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
  const answered =
    challenge && options.circuit !== "oidc_domain_attestation" ? challenge.nonce : options.nonce;
  const { buy, answering } = await prepare({ ...options, nonce: answered }, world, purchase);
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
    const outcome = await useProof(options, job, result, world);
    await store.delete(job);
    return outcome;
  } catch (error) {
    // Repeating a request that the community refuses does not help.
    const refused = error instanceof ApiError && error.status < 500;
    const paid = progress.paid || options.job !== null;
    if (paid && !refused) tell.resumable(job, answering);
    throw error;
  } finally {
    tell.end();
  }
}

/**
 * Determines what to prove and shows it in full. Nothing is signed yet.
 * @returns a function that buys the proof, and the nonce that it answers
 */
async function prepare(options: Options, world: World, purchase: Purchase) {
  const { tell, deployment } = world;
  if (options.circuit === "oidc_domain_attestation") {
    return { buy: await proveIdentity(options, world, purchase), answering: null };
  }
  const holder = world.holder();
  const { statement, answering } = await statementOf({ ...options, circuit: options.circuit }, world);
  const request = signingRequest({ ...statement, user: holder.address });
  tell.say(statementLine(statement));
  tell.say(requestText(request));
  // Only the hashes of an action are sent, so compare what was shown with what is signed.
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

/** Paid without --max-price, in atomic units: an installation says itself what it charges. */
const USUAL_PRICE = 100_000n;

/** Returns the offer to pay: the named one, or the first that needs no gateway deposit. */
function offerOf({ offers }: Deployment, { network, maxPrice }: Options): PaymentOffer {
  const offer = offers.find((one) =>
    network === null ? one.settlement !== "gateway" : networkName(one) === network,
  );
  if (!offer) {
    const known = offers.map(networkName).join(", ");
    throw new UsageError(
      `This installation takes no payment on that network. Available: ${known || "none"}.`,
    );
  }
  if (BigInt(offer.amount) > (maxPrice ?? USUAL_PRICE)) {
    const limit = maxPrice === null ? "0.10: name what you would pay with --max-price" : "--max-price";
    throw new UsageError(`The price is ${amountText(offer)}, more than ${limit}.`);
  }
  return offer;
}

async function confirm({ yes }: Options, { ask }: World): Promise<void> {
  if (yes) return;
  if (!ask)
    throw new NotConfirmedError(
      "There is no terminal to confirm on. Add --yes to sign and pay without confirmation.",
    );
  if (!(await ask("Sign and pay?")))
    throw new NotConfirmedError("Not confirmed. Nothing was signed or paid.");
}

const challengeOf = (world: World) => world.clientOf(undefined).call(contract.auth.challenge, {});

/** Joins or signs in with a proof, or returns it. @throws ApiError */
async function useProof(options: Options, job: string, result: ProveResult, world: World): Promise<Outcome> {
  if (options.join) return join(options.join, result, world);
  const { circuit, proof, publicInputs } = result;
  if (!options.login) return { circuit, proof, publicInputs };
  const signedIn = world.deployment.services.appUrl;
  const body = { challengeId: job, result: { circuit, proof, publicInputs } };
  const { token, needsNickname } = await world.clientOf(undefined).call(contract.auth.verify, body);
  await world.keepToken(token);
  const as = world.clientOf(token);
  if (needsNickname && options.nickname !== null) {
    const { nickname } = options;
    const named = await as.call(contract.profile.setNickname, { nickname }).catch((error: unknown) => {
      // The proof is used up, and the session is there.
      if (error instanceof ApiError) return error;
      throw error;
    });
    if (named instanceof ApiError) {
      world.tell.say(`${named.message} Choose another one: parley call profile.setNickname nickname=…`);
      return { signedIn, nickname: null };
    }
    if (named.token !== undefined) await world.keepToken(named.token);
    return { signedIn, nickname: named.nickname };
  }
  const session = await as.call(contract.auth.session, {});
  return { signedIn, nickname: "nickname" in session && !needsNickname ? session.nickname : null };
}

/** @throws ApiError, the documented refusals of a join */
async function join(topicId: string, { proof, publicInputs }: ProveResult, world: World): Promise<Outcome> {
  const body = { topicId, proof, publicInputs };
  const { status } = await memberOf(world).callWithStatus(contract.topics.join, body);
  return { joined: topicId, status: status === 202 ? "pending" : "member" };
}

/**
 * Builds the statement about a wallet from the command line, the action's file, the topic and a challenge.
 * @returns the statement, and the nonce that the proof answers
 * @throws UsageError, ApiError, ProofInputError ACTION_INVALID
 */
async function statementOf(
  options: Options & { readonly circuit: AttestedCircuit },
  world: World,
): Promise<{ statement: AttestedStatement; answering: string | null }> {
  const { circuit } = options;
  const scope = options.scope ?? world.deployment.scope;
  if (circuit === "partner_country_attestation") {
    const list = options.countries
      ? { countries: options.countries, isIncluded: !options.excluded }
      : await listOfTopic(options.join ?? "", world);
    // The proof has no room for a challenge; the open challenge shows whose proof it is.
    if (options.join) await memberOf(world).call(contract.auth.challenge, {});
    return { statement: { circuit, scope, list }, answering: null };
  }
  if (options.actionFile !== null) {
    const json = parseJson(await world.readFile(options.actionFile));
    if (json === undefined) throw new UsageError("The file of --action is not JSON.");
    const action = readAction(json);
    return { statement: { circuit, scope, action }, answering: null };
  }
  const nonce = options.nonce ?? (await memberOf(world).call(contract.auth.challenge, {})).nonce;
  return { statement: { circuit, scope, nonce }, answering: nonce };
}

/** Returns exactly the topic's list: a shorter one would reveal more about the holder than the topic requires. */
async function listOfTopic(topicId: string, world: World) {
  const { topic } = await memberOf(world).call(contract.topics.get, { topicId });
  if (topic.allowedCountries) return { countries: topic.allowedCountries, isIncluded: true };
  if (topic.excludedCountries) return { countries: topic.excludedCountries, isIncluded: false };
  throw new UsageError("That topic does not require a country.");
}

/** The dependencies of a run, which tests replace. */
export interface World {
  readonly deployment: Deployment;
  /** Returns the wallet with the attestation, for wallet circuits. @throws UsageError when none is set */
  readonly holder: () => AttestationWallet;
  readonly payer: PayingWallet;
  /** A client with the session token; null without one. */
  readonly member: Client | null;
  /** Returns a client with this token. */
  readonly clientOf: (token: string | undefined) => Client;
  /** Keeps the session token of a sign-in on this device. */
  readonly keepToken: (token: string) => Promise<void>;
  readonly store: PaymentStore;
  readonly readFile: (path: string) => Promise<string>;
  /** Reads all of standard input. */
  readonly readInput: () => Promise<string>;
  readonly prove: (request: ProveAttestedRequest) => Promise<ProveResult>;
  readonly verify: (deployment: Deployment, result: ProveResult) => Promise<"valid" | "invalid">;
  /** Returns a unique name for a payment. */
  readonly newJob: () => string;
  readonly tell: Teller;
  /** Asks the user yes or no; null without a terminal. */
  readonly ask: ((question: string) => Promise<boolean>) | null;
  /** For tests. */
  readonly fetch?: typeof fetch;
}

/** The payment options that all circuits share: recipient, maximum and name. */
type Purchase = Pick<
  ProveAttestedRequest,
  "proverUrl" | "expectedOffers" | "allowGateway" | "accept" | "maxAmount" | "store" | "jobKey" | "fetch"
> & { readonly onProgress: NonNullable<ProveAttestedRequest["onProgress"]> };

/** Returns the client with which `--join` acts. @throws UsageError */
function memberOf({ member }: World): Client {
  if (member) return member;
  throw new UsageError(
    "--join acts as a member: sign in with --login, or set PARLEY_TOKEN to your session token.",
  );
}

type Client = ReturnType<typeof createClient>;
