import { createClient } from "@/lib/client";
import { contract } from "@/lib/contract";
import {
  buyProof,
  memoryStore,
  type OnProgress,
  type PaymentSigner,
  payingWallet,
} from "@/lib/proofs/client";
import type { Deployment, Issuer, Provider } from "@/lib/proofs/deployment";
import type { ProveResult } from "@/lib/proofs/wire";
import { deviceIdToken } from "./idp/sign-in";

export type Client = ReturnType<typeof createClient>;

/** A user of the development installation who acts over plain HTTP, like any agent. */
export interface Member {
  userId: string;
  nickname: string;
  /** Bearer token, issued after the nickname was set. */
  token: string;
  api: Client;
}

export interface SignInRequest {
  deployment: Deployment;
  email: string;
  nickname: string;
  wallet: PaymentSigner;
  provider?: Provider;
  /** Chooses one of the offers; by default the first. */
  accept?: Parameters<typeof buyProof>[0]["accept"];
  onProgress?: OnProgress;
}

/** Returns a client of the running app, signed in with `token` if given. */
export function apiClient(deployment: Deployment, token?: string): Client {
  return createClient({ baseUrl: deployment.services.appUrl, token: () => token });
}

/** Returns the issuer with these claim rules. @throws Error when the installation has none */
export function issuerOf(deployment: Deployment, provider: Provider): Issuer {
  const issuer = deployment.issuers.find((i) => i.provider === provider);
  if (!issuer) throw new Error(`the installation has no issuer for ${provider}`);
  return issuer;
}

/** Buys a proof of the email domain for a new token from the device flow. */
export async function proveDomain(request: Omit<SignInRequest, "nickname">): Promise<ProveResult> {
  const { deployment, email, wallet, provider = "provider_a" } = request;
  const jwt = await deviceIdToken(issuerOf(deployment, provider), email);
  return buyProof({
    proverUrl: deployment.services.proverUrl,
    circuit: "oidc_domain_attestation",
    inputs: { jwt, scope: deployment.scope, provider },
    wallet: payingWallet(wallet),
    expectedOffers: deployment.offers,
    accept: request.accept,
    store: memoryStore(),
    jobKey: "one",
    onProgress: request.onProgress,
  });
}

/**
 * Signs a user in from scratch: challenge, identity token, paid proof, verification, nickname.
 * @throws ApiError, ProverError, BuyProofError
 */
export async function signInWithProof(request: SignInRequest): Promise<Member> {
  const guest = apiClient(request.deployment);
  // Before the token: a token without a nonce counts as fresh only when it is younger than the challenge.
  const { challengeId } = await guest.call(contract.auth.challenge, {});
  const { circuit, proof, publicInputs } = await proveDomain(request);
  const session = await guest.call(contract.auth.verify, {
    challengeId,
    result: { circuit, proof, publicInputs },
  });
  if (!session.needsNickname) return member(request, session.userId, session.token);
  const named = await apiClient(request.deployment, session.token).call(contract.profile.setNickname, {
    nickname: request.nickname,
  });
  return member(request, session.userId, named.token ?? session.token);
}

function member({ deployment, nickname }: SignInRequest, userId: string, token: string): Member {
  return { userId, nickname, token, api: apiClient(deployment, token) };
}
