import { Refusal } from "@/lib/errors";
import type { Deployment, Provider } from "@/lib/proofs/deployment";
import { TrustUnavailableError } from "@/lib/proofs/errors";
import type { PublicFacts } from "@/lib/proofs/registry";
import { audienceProblem, type IssuerClients, isMachineDomain } from "@/lib/proofs/trust";
import { attestedCircuits, isTrustedRoot } from "@/lib/proofs/trust/attesters";

export interface SignerTrust {
  /** As `Trust.signersOf`: the issuers of this provider that own the key, with our clients there. */
  signersOf(provider: Provider, modulus: bigint): Promise<readonly IssuerClients[]>;
}

export type TokenFacts = Extract<PublicFacts, { circuit: "oidc_domain_attestation" }>;
export type WalletFacts = Exclude<PublicFacts, { circuit: "oidc_domain_attestation" }>;

export function isTokenFacts(facts: PublicFacts): facts is TokenFacts {
  return facts.circuit === "oidc_domain_attestation";
}

/**
 * Checks that the token belongs to a person, that a pinned issuer's own key signed it, and that it was issued to our
 * client there.
 * @throws Refusal proof_machine_account, proof_untrusted_issuer, proof_wrong_audience, verification_unavailable
 */
export async function assertTrustedIssuer(trust: SignerTrust, token: TokenFacts): Promise<void> {
  if (isMachineDomain(token.domain)) {
    throw new Refusal("proof_machine_account");
  }
  const signers = await signersOf(trust, token);
  if (signers.length === 0) {
    throw new Refusal("proof_untrusted_issuer", {
      message: "The identity token was not signed by a provider this community trusts.",
    });
  }
  const problems = signers.map((clients) => audienceProblem(clients, token));
  if (problems.includes(null)) return;
  if (!problems.includes("nonce_missing")) throw new Refusal("proof_wrong_audience");
  throw new Refusal("proof_wrong_audience", {
    message: "A browser sign-in must carry the challenge's nonce. Start again.",
  });
}

async function signersOf(trust: SignerTrust, { provider, modulus }: TokenFacts) {
  try {
    return await trust.signersOf(provider, modulus);
  } catch (error) {
    if (error instanceof TrustUnavailableError) throw unavailable(error);
    throw error;
  }
}

/**
 * Checks that an attester this installation trusts for this circuit signed the attestation.
 * @throws Refusal proof_untrusted_issuer; proof_wrong_circuit for the trusted root of another circuit with this
 * layout
 */
export function assertTrustedAttester(
  { mode }: Pick<Deployment, "mode">,
  { circuit, merkleRoot }: WalletFacts,
): void {
  if (isTrustedRoot(mode, circuit, merkleRoot)) return;
  const other = attestedCircuits.find((id) => isTrustedRoot(mode, id, merkleRoot));
  if (other) {
    throw new Refusal("proof_wrong_circuit", {
      message: `This proof comes from the attesters of ${other}, not of ${circuit}.`,
    });
  }
  throw new Refusal("proof_untrusted_issuer", {
    message: "The attestation was not signed by an attester this community trusts.",
  });
}

/** Returns the refusal for a dependency that cannot be reached; neither proof nor challenge is used up. */
export function unavailable(cause: Error): Refusal {
  return new Refusal("verification_unavailable", { cause, retryAfter: 5 });
}
