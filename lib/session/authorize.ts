import type { Db } from "@/db/schema";
import type { Freshness, ProofAcceptor } from "@/lib/context/proofs";
import { Refusal } from "@/lib/errors";
import type { CircuitId, Deployment } from "@/lib/proofs/deployment";
import { scopeWord } from "@/lib/proofs/derivations";
import { VerificationUnavailableError } from "@/lib/proofs/errors";
import type { PublicFacts } from "@/lib/proofs/registry";
import type { VerifyRequest } from "@/lib/proofs/verify";
import type { OpenChallenge } from "./challenges";
import {
  answeredChallenge,
  assertCanBeFresh,
  challengeUnknown,
  proofUsed,
  wrongChallenge,
} from "./freshness";
import type { IdentityHasher } from "./identity";
import { assertTrustedAttester, assertTrustedIssuer, isTokenFacts, type SignerTrust } from "./signers";
import { type ReadProof, readProof } from "./submitted";
import { unavailable } from "./unavailable";

export interface AcceptorParts {
  readonly db: Db;
  readonly deployment: Deployment;
  readonly hasher: IdentityHasher;
  readonly trust: SignerTrust;
  /** Asks the configured verifier contract; what the client says about verifiers never reaches it. */
  readonly verify: (request: VerifyRequest) => Promise<"valid" | "invalid">;
  readonly now: () => Date;
}

/**
 * What a proof of each circuit is good for. A country proof cannot sign in: nothing in it shows that it was made
 * for this sign-in. The test network's attestation names nobody that a community could rely on.
 */
const uses: Readonly<Record<CircuitId, { readonly signIn: boolean; readonly join: boolean }>> = {
  oidc_domain_attestation: { signIn: true, join: true },
  network_eligibility: { signIn: true, join: true },
  partner_country_attestation: { signIn: false, join: true },
  regional_attestation: { signIn: false, join: false },
};

/**
 * Makes the acceptor of an installation. Cheap checks come first and the chain last, and nothing is used up before
 * `consume`: a bad proof, or a chain that does not answer, leaves the challenge open for the right one.
 *
 * What binds a proof to whoever hands it in (docs/proofs.md, "What binds a proof to its bearer"): an identity
 * token's nonce or age, an eligibility proof's signal hash; of a country proof only that it is new.
 */
export function createProofAcceptor(parts: AcceptorParts): ProofAcceptor {
  const { db, deployment, hasher, now } = parts;

  return async (submitted, freshness) => {
    const read = readProof(submitted, deployment);
    const { circuit, facts } = read;
    assertUse(circuit, freshness);
    assertOurScope(facts, deployment);
    assertCanBeFresh(facts, now());
    if (!isTokenFacts(facts)) assertTrustedAttester(deployment, facts);
    const identityHash = hasher.identityHash(circuit, facts.nullifier);
    const usedAs = useHash(hasher, read);
    // Asked before the challenge: proof and challenge are used up in one step, so whoever finds the challenge still
    // open and the proof used has another proof's challenge, and a parallel winner always shows as an unknown one.
    const used = await isUsed(db, usedAs);
    const challenge = await answeredChallenge(parts, facts, freshness, used);
    await assertChallengeOwner(db, challenge, freshness, identityHash);
    if (isTokenFacts(facts)) await assertTrustedIssuer(parts.trust, facts);
    await assertVerifies(parts, read);
    return {
      circuit,
      ...said(facts),
      identityHash,
      async consume(trx) {
        const taken = await trx.deleteFrom("challenges").where("id", "=", challenge.id).executeTakeFirst();
        if (taken.numDeletedRows === 0n) throw lostRace(freshness);
        const inserted = await trx
          .insertInto("used_proofs")
          .values({ statement_hash: usedAs })
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst();
        if (inserted.numInsertedOrUpdatedRows === 0n) throw proofUsed();
      },
    };
  };
}

function lostRace(freshness: Freshness): Refusal {
  return freshness.userId === null ? challengeUnknown() : proofUsed();
}

function assertUse(circuit: CircuitId, { userId }: Freshness): void {
  if (userId === null ? uses[circuit].signIn : uses[circuit].join) return;
  throw new Refusal("proof_wrong_circuit", {
    message:
      userId === null
        ? `A proof of ${circuit} cannot sign you in. Use oidc_domain_attestation or network_eligibility.`
        : `A proof of ${circuit} opens no topic here.`,
  });
}

function assertOurScope(facts: PublicFacts, { scope }: Deployment): void {
  if (facts.scope === scopeWord(scope)) return;
  throw new Refusal("proof_wrong_scope", {
    message: `The proof was made for a different community, not ${scope}.`,
  });
}

/** What the facts say about the holder, in the words gates and verifications use. */
function said(facts: PublicFacts) {
  const nothing = { provider: null, domain: null, countries: null, countriesIncluded: null };
  switch (facts.circuit) {
    case "oidc_domain_attestation":
      return { ...nothing, provider: facts.provider, domain: facts.domain };
    case "partner_country_attestation":
      return { ...nothing, countries: facts.countries, countriesIncluded: facts.isIncluded };
    case "network_eligibility":
    case "regional_attestation":
      return nothing;
  }
}

/**
 * What stands for a used proof. Statements with a nonce, an issue time or a challenge's hash never come twice from
 * honest hands, however often they are proven. A wallet's country statement is the same for ever, and its holder
 * must be able to prove it anew when a verification has run out: there the bytes of the proof count, of which no
 * second spelling is accepted (`readProof`). That does not keep whoever has the wallet's signature (the prover sees it)
 * from making fresh proofs; docs/proofs.md says what bounds them.
 */
function useHash(hasher: IdentityHasher, { circuit, proof, words }: ReadProof): string {
  return circuit === "partner_country_attestation"
    ? hasher.proofHash(circuit, proof)
    : hasher.statementHash(circuit, words);
}

async function isUsed(db: Db, usedAs: string): Promise<boolean> {
  const row = await db
    .selectFrom("used_proofs")
    .select("statement_hash")
    .where("statement_hash", "=", usedAs)
    .executeTakeFirst();
  return row !== undefined;
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
    throw new Refusal("proof_wrong_challenge", {
      message: "This challenge belongs to a different account. Sign out and start again.",
    });
  }
}

async function assertVerifies(
  { verify }: AcceptorParts,
  { circuit, proof, words }: ReadProof,
): Promise<void> {
  try {
    if ((await verify({ circuit, proof, publicInputs: words })) === "valid") return;
  } catch (error) {
    if (error instanceof VerificationUnavailableError) throw unavailable(error);
    throw error;
  }
  throw new Refusal("proof_invalid");
}
