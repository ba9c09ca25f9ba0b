import type { Hex } from "viem";
import type { AttestationQuery } from "./find";

/**
 * For the prover, before payment: the attestation this transaction made stands on its chain, and no newer one of the
 * same recipient replaced it.
 * @param query `side` defaults to "server" here.
 * @throws ProofInputError ATTESTATION_NOT_FOUND, ATTESTATION_REVERTED, ATTESTATION_REVOKED (also expired) or
 * ATTESTATION_SUPERSEDED, field raw_transaction; TrustUnavailableError when source or chain cannot be asked.
 */
export async function checkAttestation(_query: AttestationQuery & { rawTransaction: Hex }): Promise<void> {
  throw new Error("not built yet");
}
