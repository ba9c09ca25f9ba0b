import { type Hex, isAddressEqual } from "viem";
import { ProofInputError } from "../errors";
import { type AttestationQuery, checkStanding, disagree, lookup, newestOf } from "./lookup";
import { readAttestationTransaction } from "./transaction";

export { checkAttestation } from "./check";
export { type AttestationDeployment, type AttestationQuery, hasAttestationSource } from "./lookup";

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
 * The newest attestation of a wallet for a circuit, looked up in the configured source and checked on its chain. Only
 * the newest counts: the attester has replaced those before it, also where it has revoked it since.
 * @param query `side` defaults to "browser".
 * @throws ProofInputError ATTESTATION_NOT_FOUND, ATTESTATION_REVOKED (also expired), or why its transaction cannot be
 * proven; TrustUnavailableError when source or chain cannot be asked, or contradict each other.
 */
export async function findAttestation(query: AttestationQuery): Promise<FoundAttestation> {
  const { attester, chain, list } = lookup(query, query.side ?? "browser");
  const newest = await newestOf(await list(), chain, query.recipient);
  if (!newest) {
    throw new ProofInputError("ATTESTATION_NOT_FOUND", "user_address", "this wallet has no such attestation");
  }
  const { uid, transactionHash } = newest;
  const time = await checkStanding(query, chain, attester, uid, "user_address");
  const receipt = await chain.receipt(transactionHash);
  if (!receipt || !chain.made(receipt, query.recipient).some((made) => made.uid === uid)) throw disagree();
  const rawTransaction = await chain.rawTransaction(transactionHash);
  if (rawTransaction === null) {
    throw new ProofInputError(
      "TRANSACTION_MALFORMED",
      "raw_transaction",
      "the attestation was not made by an EIP-1559 (type 2) transaction, so it cannot be proven",
    );
  }
  const { recipient, country } = await readAttestationTransaction(rawTransaction, attester);
  if (!isAddressEqual(recipient, query.recipient)) {
    throw new ProofInputError("WRONG_RECIPIENT", "raw_transaction", "the transaction attests another wallet");
  }
  return { uid, transactionHash, rawTransaction, time, country };
}
