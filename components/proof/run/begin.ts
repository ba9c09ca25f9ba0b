import type { PublicConfig, PublicIssuer } from "../config";
import { newChallenge } from "./challenge";
import { newRun, type RunPlace, randomWord } from "./new-run";
import { backAt, saveRun } from "./storage";
import type { PayChoice, Run } from "./types";

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
  const run = newRun(
    place,
    pay,
    {
      kind: "domain",
      state,
      provider: issuer.provider,
      issuer: issuer.label,
      requiredDomain,
      token: null,
      domain: null,
    },
    challenge,
  );
  saveRun(run);
  return authorizationUrl(issuer, { nonce: challenge.nonce, state }, origin);
}

/**
 * The way to the provider once more, for a run that has paid and whose token the prover needs again. The payment stays
 * the run's.
 * @throws ApiError when no challenge is given; Error when the provider is not configured any more
 */
export async function identifyAgain(run: Run, config: PublicConfig, origin: string): Promise<string> {
  const { subject } = run;
  const issuer =
    subject.kind === "domain" &&
    config.issuers.find(({ label, provider }) => label === subject.issuer && provider === subject.provider);
  if (subject.kind !== "domain" || !issuer) throw new Error("the run's provider is not configured");
  const challenge = await newChallenge(run.purpose);
  const state = randomWord();
  saveRun({
    ...run,
    challenge,
    subject: { ...subject, state, token: null },
    ...backAt(run, "identity", Date.now()),
  });
  return authorizationUrl(issuer, { nonce: challenge.nonce, state }, origin);
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
