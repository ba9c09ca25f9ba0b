import type { Db } from "@/db/schema";
import type { Freshness } from "@/lib/context/proofs";
import { Refusal } from "@/lib/errors";
import type { Deployment } from "@/lib/proofs/deployment";
import { eligibilitySignalHash } from "@/lib/proofs/derivations";
import type { PublicFacts } from "@/lib/proofs/registry";
import { findChallenge, findChallenges, type OpenChallenge } from "./challenges";
import { isTokenFacts, type TokenFacts, type WalletFacts } from "./signers";
import { unixSeconds } from "./tokens";

interface FreshnessParts {
  readonly db: Db;
  readonly deployment: Pick<Deployment, "scope">;
  readonly now: () => Date;
}

/** How long an identity token without a nonce counts after its issue. */
const TOKEN_MAX_AGE_SECONDS = 10 * 60;
/** How far an issuer's clock may be ahead of ours. */
const CLOCK_SKEW_SECONDS = 60;
/** A hash does not reveal its nonce: it is compared with this many of the caller's challenges, newest first. */
const MAX_COMPARED = 20;

/**
 * Refuses proofs that no challenge can make fresh: an identity token that is too old, and an authorized action, whose
 * signature says nothing about joining or signing in here.
 * @throws Refusal proof_stale, proof_wrong_challenge
 */
export function assertCanBeFresh(facts: PublicFacts, now: Date): void {
  if (isTokenFacts(facts)) {
    assertTokenAge(facts, now);
  } else if (facts.circuit !== "partner_country_attestation" && facts.action !== null) {
    throw new Refusal("proof_wrong_challenge", {
      message: "An action proof authorizes that action only. Sign the challenge instead.",
    });
  }
}

/** Checks the age of a token without a nonce; with one, the challenge's lifetime of five minutes bounds it. */
function assertTokenAge({ nonce, iat }: TokenFacts, now: Date): void {
  if (nonce !== null) return;
  const age = now.getTime() / 1000 - iat;
  if (age > TOKEN_MAX_AGE_SECONDS || age < -CLOCK_SKEW_SECONDS) {
    throw new Refusal("proof_stale");
  }
}

/**
 * Returns the open challenge a proof answers.
 *
 * An identity token contains the nonce, or was issued after the challenge. An eligibility proof contains a hash of
 * the nonce. The country circuit has room for neither: its bearer only needs an open challenge, and the proof's bytes
 * must be new (see `createProofAcceptor`).
 *
 * @param used whether the proof was accepted before
 * @throws Refusal challenge_unknown, proof_used, proof_wrong_challenge, proof_stale
 */
export async function answeredChallenge(
  parts: FreshnessParts,
  facts: PublicFacts,
  { challengeId, userId }: Freshness,
  used: boolean,
): Promise<OpenChallenge> {
  const { db, now } = parts;
  const named = challengeId === null ? null : await findChallenge(db, { id: challengeId }, now());
  if (challengeId !== null && !named) throw new Refusal("challenge_unknown");
  if (used) throw new Refusal("proof_used");
  if (named) {
    if (isTokenFacts(facts)) assertTokenAnswers(facts, named);
    else if (!walletAnswers(facts, named, parts.deployment)) throw new Refusal("proof_wrong_challenge");
    return named;
  }
  if (userId === null) throw new Refusal("challenge_unknown");
  return isTokenFacts(facts)
    ? await challengeOfToken(parts, facts, userId)
    : await challengeOfWallet(parts, facts, userId);
}

function assertTokenAnswers({ nonce, iat }: TokenFacts, challenge: OpenChallenge): void {
  if (nonce !== null && nonce !== challenge.nonce) throw new Refusal("proof_wrong_challenge");
  if (nonce === null && iat < unixSeconds(challenge.createdAt)) throw olderThanChallenge();
}

async function challengeOfToken(
  { db, now }: FreshnessParts,
  { nonce, iat }: TokenFacts,
  userId: string,
): Promise<OpenChallenge> {
  if (nonce !== null) {
    const own = await findChallenge(db, { nonce, userId }, now());
    if (!own) throw new Refusal("proof_wrong_challenge");
    return own;
  }
  // The issue time is in whole seconds: a token issued in the same second as the challenge may be newer.
  const own = await findChallenge(db, { userId, madeBefore: new Date((iat + 1) * 1000) }, now());
  if (!own) throw olderThanChallenge();
  return own;
}

function walletAnswers(
  facts: WalletFacts,
  { nonce }: OpenChallenge,
  { scope }: Pick<Deployment, "scope">,
): boolean {
  if (facts.circuit === "partner_country_attestation") return true;
  return facts.signalHash === eligibilitySignalHash(facts.circuit, scope, nonce);
}

async function challengeOfWallet(
  { db, now, deployment }: FreshnessParts,
  facts: WalletFacts,
  userId: string,
): Promise<OpenChallenge> {
  const own = await findChallenges(db, { userId }, now(), MAX_COMPARED);
  const answered = own.find((challenge) => walletAnswers(facts, challenge, deployment));
  if (answered) return answered;
  if (own.length > 0) throw new Refusal("proof_wrong_challenge");
  throw new Refusal("proof_wrong_challenge", {
    message: "Request a challenge with your session first, then submit the proof within five minutes.",
  });
}

function olderThanChallenge(): Refusal {
  return new Refusal("proof_stale", {
    message: "Request a challenge first, then sign in at the identity provider.",
  });
}
