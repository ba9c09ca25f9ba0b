import type { Db, Trx } from "@/lib/community/context";
import { Refusal } from "@/lib/errors";
import { type CircuitId, circuitIdSchema, type Deployment, type Provider } from "@/lib/proofs/deployment";
import { scopeWord } from "@/lib/proofs/derivations";
import { PublicInputError, TrustUnavailableError, VerificationUnavailableError } from "@/lib/proofs/errors";
import { hexSchema } from "@/lib/proofs/hex";
import { circuits, decodePublicInputs, type PublicFacts } from "@/lib/proofs/registry";
import { audienceProblem, type IssuerClients } from "@/lib/proofs/trust";
import type { VerifyRequest } from "@/lib/proofs/verify";
import { findChallenge, type OpenChallenge } from "./challenges";
import type { IdentityHasher } from "./identity";
import { wordsOf } from "./public-inputs";

/** A proof as a client hands it in; nothing in it is believed. */
export interface SubmittedProof {
  readonly circuit: string;
  readonly proof: string;
  readonly publicInputs: string | readonly string[];
}

/** What an accepted proof says. */
export interface AcceptedProof {
  readonly circuit: CircuitId;
  readonly provider: Provider | null;
  readonly domain: string | null;
  readonly countries: readonly string[] | null;
  /** Whether the holder lives in one of `countries` or in none of them; null exactly when they are. */
  readonly countriesIncluded: boolean | null;
  /** Keyed hash of (circuit family, nullifier). */
  readonly identityHash: string;
  /**
   * Marks the statement and its challenge as used. Call it inside the transaction that acts on the proof: if that
   * fails, the proof can be handed in again.
   * @throws Refusal proof_used or challenge_unknown when somebody was faster.
   */
  readonly consume: (trx: Trx) => Promise<void>;
}

/** How freshness is shown: by the challenge of a sign-in, or by any open challenge of this caller. */
export interface Freshness {
  readonly challengeId: string | null;
  /** The signed-in user handing it in, or null at sign-in. */
  readonly userId: string | null;
}

/**
 * The one function that accepts proofs (design/api.md, "What makes a proof acceptable").
 * @throws Refusal with the documented code.
 */
export type ProofAcceptor = (submitted: SubmittedProof, freshness: Freshness) => Promise<AcceptedProof>;

export interface AcceptorParts {
  readonly db: Db;
  readonly deployment: Deployment;
  readonly hasher: IdentityHasher;
  readonly trust: {
    /** As `Trust.signersOf`: the issuers of this provider whose key this is, with our clients there. */
    signersOf(provider: Provider, modulus: bigint): Promise<readonly IssuerClients[]>;
  };
  /** Asks the configured verifier contract; what the client says about verifiers never reaches it. */
  readonly verify: (request: VerifyRequest) => Promise<"valid" | "invalid">;
  readonly now: () => Date;
}

/** Identity tokens without nonce count this long after their issue. */
const tokenMaxAgeSeconds = 10 * 60;
/** How far an issuer's clock may be ahead of ours. */
const clockSkewSeconds = 60;

type OidcFacts = Extract<PublicFacts, { circuit: "oidc_domain_attestation" }>;

/**
 * Makes the acceptor of an installation. Cheap checks come first and the chain last, and nothing is used up before
 * `consume`: a bad proof, or a chain that does not answer, leaves the challenge open for the right one.
 */
export function createProofAcceptor(parts: AcceptorParts): ProofAcceptor {
  const { db, deployment, hasher, now } = parts;

  return async (submitted, freshness) => {
    const { circuit, words, facts } = readStatement(submitted, deployment);
    const proof = hexSchema.safeParse(submitted.proof);
    if (!proof.success || proof.data === "0x") throw new Refusal("proof_malformed", "The proof is not hex.");
    if (facts.scope !== scopeWord(deployment.scope)) {
      throw new Refusal(
        "proof_wrong_scope",
        `The proof was made for another community, not ${deployment.scope}.`,
      );
    }
    const token = oidcFacts(facts);
    assertTokenAge(token, now());
    const statementHash = hasher.statementHash(circuit, words);
    const identityHash = hasher.identityHash(circuit, token.nullifier);
    const challenge = await freshChallenge(parts, token, freshness, statementHash);
    await assertChallengeOwner(db, challenge, freshness, identityHash);
    await assertTrustedIssuer(parts.trust, token);
    await assertVerifies(parts, { circuit, proof: proof.data, publicInputs: words });
    return {
      circuit,
      provider: token.provider,
      domain: token.domain,
      countries: null,
      countriesIncluded: null,
      identityHash,
      async consume(trx) {
        const taken = await trx.deleteFrom("challenges").where("id", "=", challenge.id).executeTakeFirst();
        if (taken.numDeletedRows === 0n) throw lostRace(freshness);
        const used = await trx
          .insertInto("used_proofs")
          .values({ statement_hash: statementHash })
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst();
        if (used.numInsertedOrUpdatedRows === 0n) throw proofUsed();
      },
    };
  };
}

function proofUsed(): Refusal {
  return new Refusal("proof_used", "This proof was used before. Make a new one.");
}

function challengeUnknown(): Refusal {
  return new Refusal("challenge_unknown", "The challenge is unknown, used or expired. Start again.");
}

function lostRace(freshness: Freshness): Refusal {
  return freshness.userId === null ? challengeUnknown() : proofUsed();
}

/** Circuit and public inputs in their one canonical form. */
function readStatement(submitted: SubmittedProof, deployment: Deployment) {
  const known = circuitIdSchema.safeParse(submitted.circuit);
  if (!known.success || !deployment.verifiers[known.data]) {
    throw new Refusal("unknown_circuit", "This community does not accept proofs of that circuit.");
  }
  const circuit = known.data;
  const words = wordsOf(submitted.publicInputs, circuits[circuit].publicWords);
  try {
    return { circuit, words, facts: decodePublicInputs(circuit, words) };
  } catch (error) {
    if (!(error instanceof PublicInputError)) throw error;
    throw new Refusal("proof_not_canonical", `Public input ${error.field} ${error.rule}.`, {
      field: error.field,
    });
  }
}

/**
 * Only identity-token proofs carry something that shows them to be fresh. Attestation proofs carry nothing of
 * the kind: whoever sees one could hand it in as his own, so none is accepted until they do.
 */
function oidcFacts(facts: PublicFacts): OidcFacts {
  if (facts.circuit === "oidc_domain_attestation") return facts;
  throw new Refusal("proof_wrong_circuit", "Use a proof of oidc_domain_attestation here.");
}

/** Age of a token without nonce; with one, the challenge's own five minutes bound it. */
function assertTokenAge({ nonce, iat }: OidcFacts, now: Date): void {
  if (nonce !== null) return;
  const age = now.getTime() / 1000 - iat;
  if (age > tokenMaxAgeSeconds || age < -clockSkewSeconds) {
    throw new Refusal(
      "proof_stale",
      "The identity token must be at most 10 minutes old. Sign in there again.",
    );
  }
}

/** The open challenge this proof answers. */
async function freshChallenge(
  { db, now }: AcceptorParts,
  { nonce, iat }: OidcFacts,
  { challengeId, userId }: Freshness,
  statementHash: string,
): Promise<OpenChallenge> {
  // Asked first: proof and challenge are used up in one step, so whoever finds the challenge still open below and
  // the proof used here has another proof's challenge, and a parallel winner always shows as an unknown challenge.
  const used = await db
    .selectFrom("used_proofs")
    .select("statement_hash")
    .where("statement_hash", "=", statementHash)
    .executeTakeFirst();
  const named = challengeId === null ? null : await findChallenge(db, { id: challengeId }, now());
  if (challengeId !== null && !named) throw challengeUnknown();
  if (used) throw proofUsed();
  if (named) {
    if (nonce !== null && nonce !== named.nonce) throw wrongChallenge();
    if (nonce === null && iat < wholeSecond(named.createdAt)) throw olderThanChallenge();
    return named;
  }
  if (userId === null) throw challengeUnknown();
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

function wrongChallenge(): Refusal {
  return new Refusal(
    "proof_wrong_challenge",
    "The proof answers another challenge, or one that has expired.",
  );
}

function olderThanChallenge(): Refusal {
  return new Refusal("proof_stale", "Ask for a challenge first, then sign in at the identity provider.");
}

function wholeSecond(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}

/** A challenge made while signed in serves that user only, here and at sign-in. */
async function assertChallengeOwner(
  db: Db,
  challenge: OpenChallenge,
  { userId }: Freshness,
  identityHash: string,
): Promise<void> {
  if (userId !== null) {
    // Also refuses a guest's challenge: it would let whoever sees a proof on its way spend it for himself.
    if (challenge.userId !== userId) throw wrongChallenge();
    return;
  }
  if (challenge.userId === null) return;
  const owner = await db
    .selectFrom("users")
    .select("id")
    .where("identity_hash", "=", identityHash)
    .executeTakeFirst();
  if (owner?.id !== challenge.userId) {
    throw new Refusal(
      "proof_wrong_challenge",
      "This challenge belongs to another account. Sign out and start again.",
    );
  }
}

/** The signing key in the proof is a pinned issuer's own, and the token was made for our client at that issuer. */
async function assertTrustedIssuer(trust: AcceptorParts["trust"], token: OidcFacts): Promise<void> {
  const signers = await signersOf(trust, token);
  if (signers.length === 0) {
    throw new Refusal(
      "proof_untrusted_issuer",
      "The identity token was not signed by a provider trusted here.",
    );
  }
  const problems = signers.map((clients) => audienceProblem(clients, token));
  if (problems.includes(null)) return;
  throw new Refusal(
    "proof_wrong_audience",
    problems.includes("nonce_missing")
      ? "A sign-in in the browser must carry the challenge's nonce. Start again."
      : "The identity token was made for another service. Sign in at the provider through this community.",
  );
}

async function signersOf(trust: AcceptorParts["trust"], { provider, modulus }: OidcFacts) {
  try {
    return await trust.signersOf(provider, modulus);
  } catch (error) {
    if (error instanceof TrustUnavailableError) throw unavailable(error);
    throw error;
  }
}

async function assertVerifies({ verify }: AcceptorParts, request: VerifyRequest): Promise<void> {
  try {
    if ((await verify(request)) === "valid") return;
  } catch (error) {
    if (error instanceof VerificationUnavailableError) throw unavailable(error);
    throw error;
  }
  throw new Refusal("proof_invalid", "The verifier contract says that this proof does not hold.");
}

function unavailable(cause: Error): Refusal {
  return new Refusal(
    "verification_unavailable",
    "The proof cannot be checked right now. Try again; nothing was used up.",
    {
      cause,
      retryAfter: 5,
    },
  );
}
