import { api, contract } from "@/components/api";
import type { PublicConfig, PublicIssuer } from "../config";
import type { RunEvent } from "./machine";
import { saveRun } from "./storage";
import {
  newRun,
  type PayChoice,
  type Purpose,
  type Run,
  type RunChallenge,
  type RunPlace,
  randomWord,
} from "./types";

/** Time a bought proof needs between its payment and its acceptance; with less left, the challenge is renewed first. */
const NEEDED_MS = 45_000;
/** The same for one that is made here: a slow phone on one thread takes minutes for the largest circuit. */
const NEEDED_HERE_MS = 120_000;

/** Milliseconds a proof of this run needs before its challenge ends. */
export function neededMs({ prover }: Pick<Run, "prover">): number {
  return prover.kind === "browser" ? NEEDED_HERE_MS : NEEDED_MS;
}

/** The other device's request ends too soon for a proof. */
export class RequestEndingError extends Error {
  override readonly name = "RequestEndingError";
}

/**
 * Asks our server for a challenge; with a session it belongs to this member. For another device it is that device's
 * own, which cannot be renewed from here.
 * @throws ApiError when none is given; RequestEndingError
 */
export async function newChallenge(purpose: Purpose): Promise<RunChallenge> {
  if (purpose.kind === "relay") return await challengeOfRequest(purpose.requestId);
  const { challengeId, nonce, expiresIn } = await api.call(contract.auth.challenge, {});
  return { id: challengeId, nonce, expiresAt: Date.now() + expiresIn * 1000 };
}

async function challengeOfRequest(requestId: string): Promise<RunChallenge> {
  const { nonce, expiresIn, status } = await api.call(contract.auth.getProofRequest, { requestId });
  const challenge = { id: requestId, nonce, expiresAt: Date.now() + expiresIn * 1000 };
  if (status !== "pending" || isStale(challenge)) throw new RequestEndingError("the request ends");
  return challenge;
}

/** Whether a proof started now would come too late for this challenge. */
export function isStale(challenge: RunChallenge | null, neededMs = NEEDED_MS): boolean {
  return !challenge || challenge.expiresAt - Date.now() < neededMs;
}

export interface BeginChoices extends RunPlace {
  readonly issuer: PublicIssuer;
  readonly requiredDomain: string | null;
  readonly pay: PayChoice;
}

/**
 * Starts a run: asks for a challenge, keeps the run in this tab and returns the provider's address to go to.
 * @throws ApiError when no challenge is given.
 */
export async function beginRun({ issuer, requiredDomain, pay, ...place }: BeginChoices, origin: string) {
  const challenge = await newChallenge(place.purpose);
  const state = randomWord();
  const { provider, label } = issuer;
  const rest = { requiredDomain, token: null, domain: null };
  saveRun(newRun(place, pay, { kind: "domain", state, provider, issuer: label, ...rest }, challenge));
  return authorizationUrl(issuer, { nonce: challenge.nonce, state }, origin);
}

/**
 * The way to the provider again, for a paid run whose token was lost. The payment stays the run's.
 * @throws ApiError when no challenge is given; Error when the provider is no longer configured
 */
export async function identifyAgain(
  run: Run,
  config: Pick<PublicConfig, "issuers">,
  origin: string,
): Promise<{ readonly asked: RunEvent; readonly url: string }> {
  const issuer = issuerOf(run, config);
  if (!issuer) throw new Error("the run's provider is not configured");
  const challenge = await newChallenge(run.purpose);
  const state = randomWord();
  return {
    asked: { type: "identity-asked", challenge, state },
    url: authorizationUrl(issuer, { nonce: challenge.nonce, state }, origin),
  };
}

/** The provider of a run, as it is configured now. */
export function issuerOf({ subject }: Run, { issuers }: Pick<PublicConfig, "issuers">) {
  if (subject.kind !== "domain") return undefined;
  return issuers.find(({ label, provider }) => label === subject.issuer && provider === subject.provider);
}

/** Where the provider asks who is there. Its answer comes back in the fragment, which no server sees. */
export function authorizationUrl(
  issuer: PublicIssuer,
  { nonce, state }: { readonly nonce: string; readonly state: string },
  origin: string,
): string {
  const url = new URL(issuer.authorizationEndpoint);
  const parameters = {
    client_id: issuer.webClientId,
    response_type: "id_token",
    response_mode: "fragment",
    scope: "openid email",
    redirect_uri: `${origin}/auth/callback`,
    nonce,
    state,
    // Always ask which account: a silent answer would prove an address the member did not choose.
    prompt: issuer.development ? "login" : "select_account",
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}
