import { type Address, type Hex, isAddressEqual, pad, toEventSelector } from "viem";
import { z } from "zod";
import type { Deployment } from "../deployment";
import { ProofInputError, TrustUnavailableError } from "../errors";
import { hex32Schema } from "../hex";
import { type AttestedCircuit, type Attester, attestersOf } from "../trust/attesters";
import { listFromGraphql } from "./graphql";
import { ask, cautiousFetch } from "./http";
import { isBy, logSchema, quantitySchema, RegistryChain, readAttested } from "./registry";
import type { ListedAttestation, SourceQuery } from "./source";

/** Logs of one page, the most explorers give (https://docs.blockscout.com/devs/apis/rpc/logs). */
const PAGE = 1000;
const MOST_PAGES = 20;

/** Attested(address indexed recipient, address indexed attester, bytes32 uid, bytes32 indexed schemaUID) */
const ATTESTED = toEventSelector("Attested(address,address,bytes32,bytes32)");

const entrySchema = logSchema.extend({
  transactionHash: hex32Schema,
  /** Seconds. */
  timeStamp: quantitySchema.transform(Number),
});
/** "0" stands for an empty list and for failures alike; only the first has a list. */
const pageSchema = z.object({
  status: z.enum(["0", "1"]),
  message: z.string(),
  result: z.array(entrySchema).max(PAGE),
});

/**
 * The attestations of a recipient by this attester, from the logs a block explorer has of the registry. Revoked ones
 * are among them: what was revoked has still replaced those before it.
 * @throws TrustUnavailableError
 */
async function listFromExplorer(query: SourceQuery): Promise<ListedAttestation[]> {
  const found = new Map<Hex, ListedAttestation>();
  for (let page = 1; page <= MOST_PAGES; page++) {
    const logs = await ask("the block explorer", query, () => fetchPage(query, page));
    const before = found.size;
    let others = 0;
    for (const { transactionHash, timeStamp, ...log } of logs) {
      const event = readAttested(query.attester.registry, log);
      if (!event || !isBy(query.attester, query.recipient, event)) others++;
      else found.set(event.uid, { uid: event.uid, transactionHash, time: timeStamp });
    }
    if (logs.length < PAGE) return [...found.values()];
    // An explorer that knows no pages gives the first one again, without end.
    if (found.size === before && others === 0) break;
  }
  throw new TrustUnavailableError("the block explorer lists more attestations than can be read");
}

async function fetchPage(query: SourceQuery, page: number): Promise<z.infer<typeof pageSchema>["result"]> {
  const { attester, recipient, url } = query;
  const params = new URLSearchParams({
    module: "logs",
    action: "getLogs",
    fromBlock: "0",
    toBlock: "latest",
    address: attester.registry,
    topic0: ATTESTED,
    topic1: pad(recipient, { size: 32 }).toLowerCase(),
    topic2: pad(attester.contract, { size: 32 }).toLowerCase(),
    topic3: attester.schema,
  });
  // Explorers want an operator for every pair of topics.
  for (const pair of ["0_1", "0_2", "0_3", "1_2", "1_3", "2_3"]) params.set(`topic${pair}_opr`, "and");
  params.set("page", String(page));
  params.set("offset", String(PAGE));
  const response = await cautiousFetch(query)(`${url}/api?${params}`, {
    headers: { accept: "application/json" },
  });
  return pageSchema.parse(await response.json()).result;
}

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
