import { type Hex, hexToBigInt, slice } from "viem";
import type { Db } from "@/db/schema";
import type { Freshness, ProofAcceptor, SubmittedProof } from "@/lib/context/proofs";
import { Refusal } from "@/lib/errors";
import { type CircuitId, circuitIdSchema, circuitIds, type Deployment } from "@/lib/proofs/deployment";
import { scopeWord } from "@/lib/proofs/derivations";
import { PublicInputError, VerificationUnavailableError } from "@/lib/proofs/errors";
import { hex32Schema, hexSchema } from "@/lib/proofs/hex";
import { circuits, decodePublicInputs, type PublicFacts } from "@/lib/proofs/registry";
import type { VerifyRequest } from "@/lib/proofs/verify";
import type { OpenChallenge } from "./challenges";
import { answeredChallenge, assertCanBeFresh } from "./freshness";
import type { IdentityHasher } from "./identity";
import {
  assertTrustedAttester,
  assertTrustedIssuer,
  isTokenFacts,
  type SignerTrust,
  unavailable,
} from "./signers";

export interface AcceptorParts {
  readonly db: Db;
  readonly deployment: Deployment;
  readonly hasher: IdentityHasher;
  readonly trust: SignerTrust;
  /** Calls the configured verifier contract; a client cannot choose the verifier. */
  readonly verify: (request: VerifyRequest) => Promise<"valid" | "invalid">;
  readonly now: () => Date;
}

/**
 * What a proof of each circuit is good for. A country proof cannot sign in: nothing in it shows that it was made for
 * this sign-in. The test network's attestation names no one a community could rely on.
 */
const uses: Readonly<Record<CircuitId, { readonly signIn: boolean; readonly join: boolean }>> = {
  oidc_domain_attestation: { signIn: true, join: true },
  network_eligibility: { signIn: true, join: true },
  partner_country_attestation: { signIn: false, join: true },
  regional_attestation: { signIn: false, join: false },
};

/**
 * Makes the proof acceptor of an installation. Cheap checks come first, the chain last, and nothing is used up before
 * `consume`: a bad proof or an unreachable chain leaves the challenge open for the right proof.
 *
 * What binds a proof to its holder (docs/proofs.md): an identity token's nonce or age, an eligibility proof's signal
 * hash; for a country proof, only that it is new.
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
    // Checked before the challenge: proof and challenge are used up in one step, so a used proof with an open
    // challenge was sent with another proof's challenge, and losing to a parallel request always shows as an unknown
    // one.
    const used = await isUsed(db, usedAs);
    const challenge = await answeredChallenge(parts, facts, freshness, used);
    await assertChallengeOwner(db, challenge, freshness, identityHash);
    if (isTokenFacts(facts)) await assertTrustedIssuer(parts.trust, facts);
    await assertVerifies(parts, read);
    return {
      circuit,
      ...statedFacts(facts),
      identityHash,
      async consume(trx) {
        const taken = await trx.deleteFrom("challenges").where("id", "=", challenge.id).executeTakeFirst();
        if (taken.numDeletedRows === 0n)
          throw new Refusal(freshness.userId === null ? "challenge_unknown" : "proof_used");
        const inserted = await trx
          .insertInto("used_proofs")
          .values({ statement_hash: usedAs })
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst();
        if (inserted.numInsertedOrUpdatedRows === 0n) throw new Refusal("proof_used");
      },
    };
  };
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

/** What the facts say about the holder, in the terms of gates and verifications. */
function statedFacts(facts: PublicFacts) {
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
 * Returns the hash that marks a proof as used. A statement with a nonce, an issue time or a challenge's hash never
 * legitimately occurs twice, however often it is proven. A wallet's country statement never changes, and its holder
 * must be able to prove it again when a verification expires. There the proof's bytes count, which have no second
 * accepted encoding (`readProof`). That does not stop whoever has the wallet's signature (the prover sees it) from
 * making new proofs; docs/proofs.md says what limits them.
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

/** Refuses a challenge that a different user requested while signed in, here and at sign-in. */
async function assertChallengeOwner(
  db: Db,
  challenge: OpenChallenge,
  { userId }: Freshness,
  identityHash: string,
): Promise<void> {
  if (userId !== null) {
    // Also refuses a guest's challenge: anyone who intercepts a proof could use it for themselves.
    if (challenge.userId !== userId) throw new Refusal("proof_wrong_challenge");
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

/** A submitted proof in its only canonical form. */
interface ReadProof {
  readonly circuit: CircuitId;
  readonly proof: Hex;
  readonly words: readonly Hex[];
  readonly facts: PublicFacts;
}

/** Order of the BN254 base field, the field of point coordinates (EIP-196). */
const BASE_FIELD_MODULUS = 21888242871839275222246405745257275088696311157297823662689037894645226208583n;

/**
 * Reads a proof of a circuit this installation verifies, and refuses any non-canonical encoding.
 * @throws Refusal unknown_circuit, proof_malformed, proof_wrong_circuit, proof_not_canonical
 */
function readProof(submitted: SubmittedProof, deployment: Deployment): ReadProof {
  const known = circuitIdSchema.safeParse(submitted.circuit);
  if (!known.success || !deployment.verifiers[known.data]) {
    throw new Refusal("unknown_circuit");
  }
  const circuit = known.data;
  const words = checkedWords(submitted.publicInputs, circuit);
  return { circuit, words, facts: factsOf(circuit, words), proof: proofBytes(submitted.proof) };
}

function factsOf(circuit: CircuitId, words: readonly Hex[]): PublicFacts {
  try {
    return decodePublicInputs(circuit, words);
  } catch (error) {
    if (!(error instanceof PublicInputError)) throw error;
    throw new Refusal("proof_not_canonical", {
      field: error.field,
      message: `Public input ${error.field} ${error.rule}.`,
    });
  }
}

/**
 * Checks that the proof is whole words, each below the base field's order. A verifier that reduces words would accept
 * a word plus the order as well, and a used proof could return in another encoding. (bb 5's verifiers reduce nothing:
 * they refuse points beyond this order, scalars beyond the smaller scalar order and any other length.)
 */
function proofBytes(submitted: string): Hex {
  const proof = hexSchema.safeParse(submitted);
  if (!proof.success || proof.data === "0x") {
    throw new Refusal("proof_malformed", { field: "proof", message: "The proof is not hex." });
  }
  const bytes = (proof.data.length - 2) / 2;
  if (bytes % 32 !== 0) {
    throw new Refusal("proof_not_canonical", {
      field: "proof",
      message: "The proof is not a whole number of 32-byte words.",
    });
  }
  for (let from = 0; from < bytes; from += 32) {
    if (hexToBigInt(slice(proof.data, from, from + 32)) >= BASE_FIELD_MODULUS) {
      throw new Refusal("proof_not_canonical", {
        field: "proof",
        message: `Word ${from / 32} of the proof is not below the field modulus.`,
      });
    }
  }
  return `0x${proof.data.slice(2).toLowerCase()}`;
}

/**
 * Checks public inputs, from a list or one blob, and returns them as lower-case 32-byte words. Checks only their
 * form; the layout (lib/proofs/registry) checks whether each word is canonical.
 * @throws Refusal proof_malformed; proof_wrong_circuit if the number of words fits another circuit
 */
function checkedWords(input: string | readonly string[], circuit: CircuitId): Hex[] {
  const parts = wordsOf(input);
  const expected = circuits[circuit].publicWords;
  if (parts.length !== expected) {
    const others = circuitIds.filter((id) => circuits[id].publicWords === parts.length);
    if (others.length > 0) {
      throw new Refusal("proof_wrong_circuit", {
        field: "publicInputs",
        message: `This is a proof of ${others.join(" or ")}, but a proof of ${circuit} is required.`,
      });
    }
    throw new Refusal("proof_malformed", {
      field: "publicInputs",
      message: `${circuit} has ${expected} public inputs of 32 bytes each.`,
    });
  }
  return parts.map((part, index) => {
    const word = hex32Schema.safeParse(part);
    if (word.success) return word.data;
    throw new Refusal("proof_malformed", {
      field: `publicInputs.${index}`,
      message: `Public input ${index} is not 32 bytes of 0x-prefixed hex.`,
    });
  });
}

/** Returns public inputs as a list of words; none for a blob that is not whole words. */
export function wordsOf(input: string | readonly string[]): readonly string[] {
  if (typeof input !== "string") return input;
  const digits = input.slice(2);
  if (!input.startsWith("0x") || digits.length % 64 !== 0) return [];
  return digits.match(/.{64}/gs)?.map((word) => `0x${word}`) ?? [];
}
