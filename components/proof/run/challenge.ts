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

/** Time from payment to acceptance of a proof; a challenge that expires sooner is renewed first. */
const NEEDED_MS = 45_000;
/** The same in this browser, where a slow phone on one thread takes minutes for the largest circuit. */
const NEEDED_HERE_MS = 120_000;

/** Returns the time in milliseconds that a run needs before its challenge expires. */
export function neededMs({ prover }: Pick<Run, "prover">): number {
  return prover.kind === "browser" ? NEEDED_HERE_MS : NEEDED_MS;
}

/** The other device's proof request expires too soon for a proof. */
export class RequestEndingError extends Error {
  override readonly name = "RequestEndingError";
}

/** Requests a challenge; a run for another device uses that device's. @throws ApiError, RequestEndingError */
export async function newChallenge(purpose: Purpose): Promise<RunChallenge> {
  if (purpose.kind === "relay") return await challengeOfRequest(purpose.requestId);
  const { challengeId, nonce, expiresIn } = await api.call(contract.auth.challenge, {});
  return { id: challengeId, nonce, expiresAt: Date.now() + expiresIn * 1000 };
}

async function challengeOfRequest(requestId: string): Promise<RunChallenge> {
  const { nonce, expiresIn, status } = await api.call(contract.auth.getProofRequest, { requestId });
  const challenge = { id: requestId, nonce, expiresAt: Date.now() + expiresIn * 1000 };
  if (status !== "pending" || isStale(challenge))
    throw new RequestEndingError("the proof request expires too soon");
  return challenge;
}

/** Whether a proof started now would be too late for this challenge. */
export function isStale(challenge: RunChallenge | null, neededMs = NEEDED_MS): boolean {
  return !challenge || challenge.expiresAt - Date.now() < neededMs;
}

export interface BeginChoices extends RunPlace {
  readonly issuer: PublicIssuer;
  readonly requiredDomain: string | null;
  readonly pay: PayChoice;
}

/** Starts a run and returns the URL of the provider's sign-in page. @throws ApiError, RequestEndingError */
export async function beginRun({ issuer, requiredDomain, pay, ...place }: BeginChoices, origin: string) {
  const challenge = await newChallenge(place.purpose);
  const state = randomWord();
  const { provider, label } = issuer;
  const rest = { requiredDomain, token: null, domain: null };
  saveRun(newRun(place, pay, { kind: "domain", state, provider, issuer: label, ...rest }, challenge));
  return authorizationUrl(issuer, { nonce: challenge.nonce, state }, origin);
}

/** Prepares another sign-in for a paid run whose token was lost. @throws ApiError, RequestEndingError */
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

/** Returns the current configuration of a run's provider. */
export function issuerOf({ subject }: Run, { issuers }: Pick<PublicConfig, "issuers">) {
  if (subject.kind !== "domain") return undefined;
  return issuers.find(({ label, provider }) => label === subject.issuer && provider === subject.provider);
}

/** Returns the URL of the provider's sign-in page. The response comes in the fragment, which no server sees. */
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
    // Always ask for the account: a silent response would prove an address that the user did not choose.
    prompt: issuer.development ? "login" : "select_account",
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}
