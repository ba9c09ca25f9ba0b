import { Refusal } from "@/lib/errors";
import type { Deployment, Provider } from "@/lib/proofs/deployment";
import { TrustUnavailableError } from "@/lib/proofs/errors";
import type { PublicFacts } from "@/lib/proofs/registry";
import { audienceProblem, type IssuerClients, isMachineDomain } from "@/lib/proofs/trust";
import { attestedCircuits, isTrustedRoot } from "@/lib/proofs/trust/attesters";
import { unavailable } from "./unavailable";

export interface SignerTrust {
  /** As `Trust.signersOf`: the issuers of this provider whose key this is, with our clients there. */
  signersOf(provider: Provider, modulus: bigint): Promise<readonly IssuerClients[]>;
}

export type TokenFacts = Extract<PublicFacts, { circuit: "oidc_domain_attestation" }>;
export type WalletFacts = Exclude<PublicFacts, { circuit: "oidc_domain_attestation" }>;

export function isTokenFacts(facts: PublicFacts): facts is TokenFacts {
  return facts.circuit === "oidc_domain_attestation";
}

/**
 * The token is a person's, the signing key in the proof is a pinned issuer's own, and the token was made for our client
 * at that issuer.
 * @throws Refusal proof_machine_account, proof_untrusted_issuer, proof_wrong_audience, verification_unavailable
 */
export async function assertTrustedIssuer(trust: SignerTrust, token: TokenFacts): Promise<void> {
  if (isMachineDomain(token.domain)) {
    throw new Refusal(
      "proof_machine_account",
      "The identity token is a service account's. Sign in with a person's account.",
    );
  }
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

async function signersOf(trust: SignerTrust, { provider, modulus }: TokenFacts) {
  try {
    return await trust.signersOf(provider, modulus);
  } catch (error) {
    if (error instanceof TrustUnavailableError) throw unavailable(error);
    throw error;
  }
}

/**
 * The attestation was signed by one of the attesters this installation's mode trusts for this circuit.
 * @throws Refusal proof_untrusted_issuer; proof_wrong_circuit for the trusted root of another circuit of this layout
 */
export function assertTrustedAttester(
  { mode }: Pick<Deployment, "mode">,
  { circuit, merkleRoot }: WalletFacts,
): void {
  if (isTrustedRoot(mode, circuit, merkleRoot)) return;
  const other = attestedCircuits.find((id) => isTrustedRoot(mode, id, merkleRoot));
  if (other) {
    throw new Refusal(
      "proof_wrong_circuit",
      `The attesters of this proof are those of ${other}, not of ${circuit}.`,
    );
  }
  throw new Refusal(
    "proof_untrusted_issuer",
    "The attestation was not signed by one of the attesters trusted here.",
  );
}
