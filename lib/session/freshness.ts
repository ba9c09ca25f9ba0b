import type { Db } from "@/db/schema";
import type { Freshness } from "@/lib/context/proofs";
import { Refusal } from "@/lib/errors";
import type { Deployment } from "@/lib/proofs/deployment";
import { eligibilitySignalHash } from "@/lib/proofs/derivations";
import type { PublicFacts } from "@/lib/proofs/registry";
import { findChallenge, findChallenges, type OpenChallenge } from "./challenges";
import { isTokenFacts, type TokenFacts, type WalletFacts } from "./signers";

interface FreshnessParts {
  readonly db: Db;
  readonly deployment: Pick<Deployment, "scope">;
  readonly now: () => Date;
}

/** Identity tokens without nonce count this long after their issue. */
const tokenMaxAgeSeconds = 10 * 60;
/** How far an issuer's clock may be ahead of ours. */
const clockSkewSeconds = 60;
/** A hash does not show its nonce: it is compared with so many of the caller's challenges, the youngest first. */
const challengesCompared = 20;

/**
 * Refuses what no challenge can make fresh: an identity token that is too old, and an authorised action, whose
 * signature says nothing about entering or signing in here.
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

/** Age of a token without nonce; with one, the challenge's own five minutes bound it. */
function assertTokenAge({ nonce, iat }: TokenFacts, now: Date): void {
  if (nonce !== null) return;
  const age = now.getTime() / 1000 - iat;
  if (age > tokenMaxAgeSeconds || age < -clockSkewSeconds) {
    throw new Refusal("proof_stale");
  }
}

/**
 * The open challenge a proof answers.
 *
 * Identity tokens carry its nonce, or were issued after it was made. Eligibility proofs carry a hash of it. The
 * country circuit has no room for either: its proof only needs that its bearer asked for a challenge, and is
 * otherwise held together by its bytes being new (see `createProofAcceptor`).
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
  if (challengeId !== null && !named) throw challengeUnknown();
  if (used) throw proofUsed();
  if (named) {
    if (isTokenFacts(facts)) assertTokenAnswers(facts, named);
    else if (!walletAnswers(facts, named, parts.deployment)) throw wrongChallenge();
    return named;
  }
  if (userId === null) throw challengeUnknown();
  return isTokenFacts(facts)
    ? await challengeOfToken(parts, facts, userId)
    : await challengeOfWallet(parts, facts, userId);
}

function assertTokenAnswers({ nonce, iat }: TokenFacts, challenge: OpenChallenge): void {
  if (nonce !== null && nonce !== challenge.nonce) throw wrongChallenge();
  if (nonce === null && iat < wholeSecond(challenge.createdAt)) throw olderThanChallenge();
}

async function challengeOfToken(
  { db, now }: FreshnessParts,
  { nonce, iat }: TokenFacts,
  userId: string,
): Promise<OpenChallenge> {
  if (nonce !== null) {
    const own = await findChallenge(db, { nonce, userId }, now());
    if (!own) throw wrongChallenge();
    return own;
  }
  // The issue time has whole seconds: a token issued in the second the challenge was made may be the younger.
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
  const own = await findChallenges(db, { userId }, now(), challengesCompared);
  const answered = own.find((challenge) => walletAnswers(facts, challenge, deployment));
  if (answered) return answered;
  if (own.length > 0) throw wrongChallenge();
  throw new Refusal("proof_wrong_challenge", {
    message: "Request a challenge with your session first, then submit the proof within five minutes.",
  });
}

/** A challenge that is not there (any more); parallel losers of one challenge hear this too. */
export function challengeUnknown(): Refusal {
  return new Refusal("challenge_unknown");
}

export function proofUsed(): Refusal {
  return new Refusal("proof_used");
}

export function wrongChallenge(): Refusal {
  return new Refusal("proof_wrong_challenge");
}

function olderThanChallenge(): Refusal {
  return new Refusal("proof_stale", {
    message: "Request a challenge first, then sign in at the identity provider.",
  });
}

function wholeSecond(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}
