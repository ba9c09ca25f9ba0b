import type { Address, Hex } from "viem";
import type { Deployment } from "../deployment";
import type { AttestedCircuit } from "../trust/attesters";

export type AttestationDeployment = Pick<Deployment, "mode" | "chains" | "attestations">;

/** Where the question comes from: browsers use a chain's publicRpcUrl, servers its rpcUrl. */
export type Side = "browser" | "server";

export type AttestationQuery = {
  deployment: AttestationDeployment;
  circuit: AttestedCircuit;
  recipient: Address;
  /** Default "browser". */
  side?: Side;
  fetch?: typeof fetch;
  /** Milliseconds; default the clock. */
  now?: () => number;
};

/** The attestation of a wallet that a proof can be made from. Private: it names the wallet. */
export type FoundAttestation = {
  uid: Hex;
  transactionHash: Hex;
  /** Signed EIP-1559 transaction. */
  rawTransaction: Hex;
  /** Seconds. */
  time: number;
  /** ISO 3166-1 alpha-2 of the country attestation, null for the others. */
  country: string | null;
};

/**
 * The newest attestation of a wallet for a circuit, looked up in the configured source and checked on its chain.
 * @throws ProofInputError ATTESTATION_NOT_FOUND, ATTESTATION_REVOKED (also expired), or why its transaction cannot be
 * proven; TrustUnavailableError when source or chain cannot be asked.
 */
export async function findAttestation(_query: AttestationQuery): Promise<FoundAttestation> {
  throw new Error("not built yet");
}

/** Whether this installation can look up attestations for this circuit at all. */
export function hasAttestationSource(_deployment: AttestationDeployment, _circuit: AttestedCircuit): boolean {
  throw new Error("not built yet");
}

export { checkAttestation } from "./check";
