import { type Address, type Hex, isAddressEqual } from "viem";
import type { Deployment } from "../deployment";
import { type ProofInputCode, ProofInputError, TrustUnavailableError } from "../errors";
import { type AttestedCircuit, type Attester, attestersOf } from "../trust/attesters";
import { RegistryChain } from "./registry";
import { type ListedAttestation, listFromExplorer, listFromGraphql } from "./sources";
import { readAttestationTransaction } from "./transaction";

export type AttestationDeployment = Pick<Deployment, "mode" | "chains" | "attestations">;

export type AttestationQuery = {
  deployment: AttestationDeployment;
  circuit: AttestedCircuit;
  recipient: Address;
  /** Who asks: a browser uses the chain's publicRpcUrl, a server its rpcUrl. */
  side?: "browser" | "server";
  fetch?: typeof fetch;
  signal?: AbortSignal;
  /** Milliseconds; default the clock. */
  now?: () => number;
};

/** Returns whether this installation can look up attestations for this circuit. */
export function hasAttestationSource(deployment: AttestationDeployment, circuit: AttestedCircuit): boolean {
  return sourceOf(deployment, circuit) !== null;
}

/** A wallet's attestation that can be proven. Private: it names the wallet. */
export type FoundAttestation = {
  uid: Hex;
  transactionHash: Hex;
  /** Signed EIP-1559 transaction. */
  rawTransaction: Hex;
  /** Seconds. */
  time: number;
  /** ISO 3166-1 alpha-2 code of a country attestation; null for others. */
  country: string | null;
};

/**
 * Finds a wallet's newest attestation for a circuit in the configured source and verifies it on its chain. Only the
 * newest counts: it replaces all older ones, even if it was revoked.
 * @param query `side` defaults to "browser".
 * @throws ProofInputError ATTESTATION_NOT_FOUND, ATTESTATION_REVOKED (also for expired), or why its transaction cannot be
 * proven; TrustUnavailableError if source or chain is unreachable or they contradict each other.
 */
export async function findAttestation(query: AttestationQuery): Promise<FoundAttestation> {
  const { attester, chain, list } = lookup(query, query.side ?? "browser");
  const newest = await newestOf(await list(), chain, query.recipient);
  if (!newest) {
    throw new ProofInputError("ATTESTATION_NOT_FOUND", "user_address", "this wallet has no such attestation");
  }
  const { uid, transactionHash } = newest;
  const time = await checkValid(query, chain, attester, uid, "user_address");
  const receipt = await chain.receipt(transactionHash);
  if (!receipt || !chain.made(receipt, query.recipient).some((made) => made.uid === uid)) throw disagree();
  const rawTransaction = await chain.rawTransaction(transactionHash);
  if (rawTransaction === null) {
    throw refuse(
      "TRANSACTION_MALFORMED",
      "the attestation was not made by an EIP-1559 (type 2) transaction, so it cannot be proven",
    );
  }
  const { recipient, country } = await readAttestationTransaction(rawTransaction, attester);
  if (!isAddressEqual(recipient, query.recipient)) throw wrongRecipient();
  return { uid, transactionHash, rawTransaction, time, country };
}

/**
 * Checks, for the prover before payment, that this transaction's attestation is valid on its chain and that no newer one
 * of the same recipient replaced it. The signed transaction alone does not show this: it may never have been sent, may
 * have failed, or may be followed by a different attestation.
 * @param query `side` defaults to "server".
 * @throws ProofInputError with field raw_transaction: ATTESTATION_NOT_FOUND, ATTESTATION_REVERTED, ATTESTATION_REVOKED
 * (also for expired), ATTESTATION_SUPERSEDED, and as `readAttestationTransaction`; TrustUnavailableError if source or
 * chain is unreachable or the source does not list it yet.
 */
export async function checkAttestation(query: AttestationQuery & { rawTransaction: Hex }): Promise<void> {
  const { attester, chain, list } = lookup(query, query.side ?? "server");
  const { hash, recipient } = await readAttestationTransaction(query.rawTransaction, attester);
  if (!isAddressEqual(recipient, query.recipient)) throw wrongRecipient();
  const receipt = await chain.receipt(hash);
  if (!receipt) throw refuse("ATTESTATION_NOT_FOUND", "the attestation transaction is not on its chain");
  if (receipt.status !== "0x1") {
    throw refuse("ATTESTATION_REVERTED", "the attestation transaction failed on its chain");
  }
  const own = chain.made(receipt, recipient).at(-1);
  if (!own) throw refuse("ATTESTATION_NOT_FOUND", "the transaction made no such attestation");
  const time = await checkValid(query, chain, attester, own.uid, RAW_TRANSACTION);

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

const RAW_TRANSACTION = "raw_transaction";
const refuse = (code: ProofInputCode, message: string) => new ProofInputError(code, RAW_TRANSACTION, message);
const wrongRecipient = () => refuse("WRONG_RECIPIENT", "the transaction attests another wallet");

/** Returns the deployment's source and chain for a circuit's attestations; null unless it has both. */
function sourceOf({ mode, chains, attestations }: AttestationDeployment, circuit: AttestedCircuit) {
  const attester = attestersOf(mode)[circuit];
  const url = attester.source === "graphql" ? attestations?.graphqlUrl : attestations?.explorerUrl;
  const chain = chains.find(({ id }) => id === attester.chainId);
  return url && chain ? { attester, url, chain } : null;
}

function lookup(
  { deployment, circuit, recipient, fetch, signal }: AttestationQuery,
  side: "browser" | "server",
) {
  const source = sourceOf(deployment, circuit);
  if (!source) {
    throw new TrustUnavailableError(`this installation does not look up attestations for ${circuit}`);
  }
  const { attester, url, chain } = source;
  const reach = { fetch, signal };
  const list = attester.source === "graphql" ? listFromGraphql : listFromExplorer;
  return {
    attester,
    chain: new RegistryChain(side === "server" ? chain.rpcUrl : chain.publicRpcUrl, attester, reach),
    list: () => list({ ...reach, url, attester, recipient }),
  };
}

/** Returns the newest of the listed attestations. Attestations of the same second are ordered by position on the chain. */
async function newestOf(
  listed: readonly ListedAttestation[],
  chain: RegistryChain,
  recipient: Address,
): Promise<ListedAttestation | null> {
  const latest = Math.max(...listed.map(({ time }) => time));
  const [first, ...rest] = listed.filter(({ time }) => time === latest);
  if (!first || rest.length === 0) return first ?? null;
  const placed = await Promise.all(
    [first, ...rest].map(async (candidate) => {
      const receipt = await chain.receipt(candidate.transactionHash);
      const made = receipt && chain.made(receipt, recipient).find(({ uid }) => uid === candidate.uid);
      if (!made) throw disagree();
      return { candidate, block: receipt.blockNumber, log: made.logIndex };
    }),
  );
  placed.sort((a, b) => Number(b.block - a.block) || Number(b.log - a.log));
  return placed[0]?.candidate ?? null;
}

/**
 * Checks that an attestation is neither revoked nor expired.
 * @returns when it was made, in seconds.
 * @throws ProofInputError ATTESTATION_REVOKED; TrustUnavailableError if the registry contradicts the index.
 */
async function checkValid(
  query: AttestationQuery,
  chain: RegistryChain,
  attester: Attester,
  uid: Hex,
  field: string,
): Promise<number> {
  const stored = await chain.attestation(uid);
  const isOurs =
    stored.uid === uid &&
    stored.schema === attester.schema &&
    isAddressEqual(stored.attester, attester.contract) &&
    isAddressEqual(stored.recipient, query.recipient);
  if (!isOurs) throw disagree();
  if (stored.revocationTime !== 0n) {
    throw new ProofInputError("ATTESTATION_REVOKED", field, "the attester has revoked this attestation");
  }
  const now = BigInt(Math.floor((query.now ?? Date.now)() / 1000));
  if (stored.expirationTime !== 0n && stored.expirationTime <= now) {
    throw new ProofInputError("ATTESTATION_REVOKED", field, "this attestation has expired");
  }
  return Number(stored.time);
}

/** Temporary: the index lags behind its chain, or the chain was reorganized. */
function disagree(): TrustUnavailableError {
  return new TrustUnavailableError("the attestation index and its chain do not agree now; try again later");
}
