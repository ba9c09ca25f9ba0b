import { type Hex, isAddressEqual } from "viem";
import { type ProofInputCode, ProofInputError, TrustUnavailableError } from "../errors";
import { type AttestationQuery, checkStanding, lookup, newestOf } from "./lookup";
import { readAttestationTransaction } from "./transaction";

const FIELD = "raw_transaction";
const refuse = (code: ProofInputCode, message: string) => new ProofInputError(code, FIELD, message);

/**
 * For the prover, before payment: the attestation this transaction made stands on its chain, and no newer one of the
 * same recipient replaced it. A signed transaction alone says neither: it may never have been sent, have failed, or be
 * followed by another that says something else.
 * @param query `side` defaults to "server".
 * @throws ProofInputError with field raw_transaction: ATTESTATION_NOT_FOUND, ATTESTATION_REVERTED, ATTESTATION_REVOKED
 * (also expired), ATTESTATION_SUPERSEDED, and as `readAttestationTransaction`; TrustUnavailableError when source or chain
 * cannot be asked or the source does not have it yet.
 */
export async function checkAttestation(query: AttestationQuery & { rawTransaction: Hex }): Promise<void> {
  const { attester, chain, list } = lookup(query, query.side ?? "server");
  const { hash, recipient } = await readAttestationTransaction(query.rawTransaction, attester);
  if (!isAddressEqual(recipient, query.recipient)) {
    throw refuse("WRONG_RECIPIENT", "the transaction attests another wallet");
  }
  const receipt = await chain.receipt(hash);
  if (!receipt) throw refuse("ATTESTATION_NOT_FOUND", "the attestation transaction is not on its chain");
  if (receipt.status !== "0x1") {
    throw refuse("ATTESTATION_REVERTED", "the attestation transaction failed on its chain");
  }
  const own = chain.made(receipt, recipient).at(-1);
  if (!own) throw refuse("ATTESTATION_NOT_FOUND", "the transaction made no such attestation");
  const time = await checkStanding(query, chain, attester, own.uid, FIELD);

  const listed = await list();
  const newest = await newestOf(listed, chain, recipient);
  if (newest?.transactionHash === hash) return;
  const isKnown = listed.some(({ transactionHash }) => transactionHash === hash);
  if (newest && (newest.time > time || (isKnown && newest.time === time))) {
    throw refuse("ATTESTATION_SUPERSEDED", "the wallet has a newer attestation than this one");
  }
  throw new TrustUnavailableError(
    "the attestation index does not have this attestation yet; try again later",
  );
}
