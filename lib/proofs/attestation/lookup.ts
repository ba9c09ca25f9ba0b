import { type Address, type Hex, isAddressEqual } from "viem";
import type { Deployment } from "../deployment";
import { ProofInputError, TrustUnavailableError } from "../errors";
import { type AttestedCircuit, type Attester, attestersOf } from "../trust/attesters";
import { listFromExplorer } from "./explorer";
import { listFromGraphql } from "./graphql";
import { RegistryChain } from "./registry";
import type { ListedAttestation } from "./source";

export type AttestationDeployment = Pick<Deployment, "mode" | "chains" | "attestations">;

/** Where the question comes from: browsers use a chain's publicRpcUrl, servers its rpcUrl. */
export type Side = "browser" | "server";

export type AttestationQuery = {
  deployment: AttestationDeployment;
  circuit: AttestedCircuit;
  recipient: Address;
  side?: Side;
  fetch?: typeof fetch;
  signal?: AbortSignal;
  /** Milliseconds; default the clock. */
  now?: () => number;
};

/** Whether this installation can look up attestations for this circuit at all. */
export function hasAttestationSource(deployment: AttestationDeployment, circuit: AttestedCircuit): boolean {
  const attester = attestersOf(deployment.mode)[circuit];
  return (
    sourceUrl(deployment, attester) !== null &&
    deployment.chains.some((chain) => chain.id === attester.chainId)
  );
}

/** How a circuit's attestations are looked up, by the deployment alone. */
export function lookup(
  query: AttestationQuery,
  side: Side,
): { attester: Attester; chain: RegistryChain; list: () => Promise<ListedAttestation[]> } {
  const { deployment, circuit, recipient } = query;
  const attester = attestersOf(deployment.mode)[circuit];
  const url = sourceUrl(deployment, attester);
  const chain = deployment.chains.find((configured) => configured.id === attester.chainId);
  if (!url || !chain) {
    throw new TrustUnavailableError(`this installation does not look up attestations for ${circuit}`);
  }
  const reach = { fetch: query.fetch, signal: query.signal };
  const list = attester.source === "graphql" ? listFromGraphql : listFromExplorer;
  return {
    attester,
    chain: new RegistryChain(side === "server" ? chain.rpcUrl : chain.publicRpcUrl, attester, reach),
    list: () => list({ ...reach, url, attester, recipient }),
  };
}

function sourceUrl({ attestations }: AttestationDeployment, { source }: Attester): string | null {
  return (source === "graphql" ? attestations?.graphqlUrl : attestations?.explorerUrl) ?? null;
}

/** The newest of the listed attestations; those of one second are put in order by their places on the chain. */
export async function newestOf(
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
 * Refuses an attestation that was revoked or has run out.
 * @returns when it was made, in seconds.
 * @throws ProofInputError ATTESTATION_REVOKED; TrustUnavailableError when the registry knows it otherwise.
 */
export async function checkStanding(
  query: AttestationQuery,
  chain: RegistryChain,
  attester: Attester,
  uid: Hex,
  field: string,
): Promise<number> {
  const said = await chain.attestation(uid);
  const isOurs =
    said.uid === uid &&
    said.schema === attester.schema &&
    isAddressEqual(said.attester, attester.contract) &&
    isAddressEqual(said.recipient, query.recipient);
  if (!isOurs) throw disagree();
  if (said.revocationTime !== 0n) {
    throw new ProofInputError("ATTESTATION_REVOKED", field, "the attester has revoked this attestation");
  }
  const now = BigInt(Math.floor((query.now ?? Date.now)() / 1000));
  if (said.expirationTime !== 0n && said.expirationTime <= now) {
    throw new ProofInputError("ATTESTATION_REVOKED", field, "this attestation has run out");
  }
  return Number(said.time);
}

/** An index behind its chain, or a chain that was reorganised: it passes. */
export function disagree(): TrustUnavailableError {
  return new TrustUnavailableError("the attestation index and its chain do not agree now; try again later");
}
