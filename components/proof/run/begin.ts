import { api, contract } from "@/components/api";
import type { PublicIssuer } from "../config";
import { saveRun } from "./storage";
import type { Purpose, Run } from "./types";

export interface BeginChoices {
  readonly purpose: Purpose;
  readonly page: string;
  readonly next: string;
  readonly issuer: PublicIssuer;
  readonly requiredDomain: string | null;
  readonly walletId: string;
  readonly network: string;
}

function randomWord(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_");
}

/**
 * Starts a run: asks for a challenge, keeps the run in this tab and returns the provider's address to go to.
 * @throws ApiError when no challenge is given.
 */
export async function beginRun(choices: BeginChoices, origin: string): Promise<string> {
  const challenge = await api.call(contract.auth.challenge, {});
  const now = Date.now();
  const run: Run = {
    id: randomWord(),
    state: randomWord(),
    purpose: choices.purpose,
    page: choices.page,
    next: choices.next,
    provider: choices.issuer.provider,
    issuer: choices.issuer.label,
    walletId: choices.walletId,
    network: choices.network,
    challengeId: challenge.challengeId,
    nonce: challenge.nonce,
    expiresAt: now + challenge.expiresIn * 1000,
    token: null,
    stage: "identity",
    times: { identity: { start: now } },
    position: null,
    expectedMs: null,
    payment: null,
    proof: null,
    requiredDomain: choices.requiredDomain,
    domain: null,
    problem: null,
    sealed: null,
  };
  saveRun(run);
  return authorizationUrl(choices.issuer, run, origin);
}

/** Where the provider asks who is there. Its answer comes back in the fragment, which no server sees. */
export function authorizationUrl(
  issuer: PublicIssuer,
  run: Pick<Run, "nonce" | "state">,
  origin: string,
): string {
  const url = new URL(issuer.authorizationEndpoint);
  const parameters = {
    client_id: issuer.webClientId,
    response_type: "id_token",
    response_mode: "fragment",
    scope: "openid email",
    redirect_uri: `${origin}/auth/callback`,
    nonce: run.nonce,
    state: run.state,
    // Always ask which account: a silent answer would prove an address the member did not choose.
    prompt: issuer.development ? "login" : "select_account",
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}
