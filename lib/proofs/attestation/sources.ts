import { type Address, getAddress, type Hex, pad, toEventSelector } from "viem";
import { z } from "zod";
import { TrustUnavailableError } from "../errors";
import { addressSchema, hex32Schema } from "../hex";
import type { Attester } from "../trust/attesters";
import { ask, cautiousFetch, type Reach } from "./http";
import { isBy, logSchema, quantitySchema, readAttested } from "./registry";

/** An attestation as its index lists it; the chain decides whether it is valid. */
export type ListedAttestation = {
  uid: Hex;
  transactionHash: Hex;
  /** Seconds. */
  time: number;
};

/** Which attestations to list, and where. */
type SourceQuery = Reach & {
  /** Base URL from the deployment. */
  url: string;
  attester: Attester;
  recipient: Address;
};

/** Query to the registry's index (EAS GraphQL, https://docs.attest.sh/docs/developer-tools/api). */
export const ATTESTATIONS_QUERY = `query Attestations($where: AttestationWhereInput, $orderBy: [AttestationOrderByWithRelationInput!], $take: Int) {
  attestations(where: $where, orderBy: $orderBy, take: $take) { id attester recipient schemaId time txid }
}`;

/** Only the newest attestation and the requested one matter, and nobody has this many. */
const TAKE = 100;

const answerSchema = z.object({
  data: z.object({
    attestations: z
      .array(
        z.object({
          id: hex32Schema,
          attester: addressSchema,
          recipient: addressSchema,
          schemaId: hex32Schema,
          time: z.int().nonnegative(),
          txid: hex32Schema,
        }),
      )
      .max(TAKE),
  }),
});

/**
 * Lists the recipient's attestations by this attester from the GraphQL index. Includes revoked ones: a revoked attestation
 * still replaces older ones.
 * @throws TrustUnavailableError
 */
export async function listFromGraphql(query: SourceQuery): Promise<ListedAttestation[]> {
  const { attester, recipient, url } = query;
  // The index compares addresses as text, in their checksummed form.
  const where = {
    schemaId: { equals: attester.schema },
    recipient: { equals: getAddress(recipient) },
    attester: { equals: attester.contract },
  };
  const answer = await ask("the attestation index", query, async () => {
    const response = await cautiousFetch(query)(url, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify({
        query: ATTESTATIONS_QUERY,
        variables: { where, orderBy: [{ time: "desc" }], take: TAKE },
      }),
    });
    return answerSchema.parse(await response.json());
  });
  return answer.data.attestations
    .filter((row) => isBy(attester, recipient, { ...row, schemaUID: row.schemaId }))
    .map(({ id, txid, time }) => ({ uid: id, transactionHash: txid, time }));
}

/** Logs per page, the maximum of explorers (https://docs.blockscout.com/devs/apis/rpc/logs). */
const PAGE = 1000;
const MAX_PAGES = 20;

/** Attested(address indexed recipient, address indexed attester, bytes32 uid, bytes32 indexed schemaUID) */
const ATTESTED = toEventSelector("Attested(address,address,bytes32,bytes32)");

/** Status "0" means an empty list or a failure; only an empty list has a `result` array. */
const pageSchema = z.object({
  status: z.enum(["0", "1"]),
  message: z.string(),
  result: z
    .array(
      logSchema.extend({
        transactionHash: hex32Schema,
        /** Seconds. */
        timeStamp: quantitySchema.transform(Number),
      }),
    )
    .max(PAGE),
});

/**
 * Lists the recipient's attestations by this attester from a block explorer's logs of the registry. Includes revoked
 * ones: a revoked attestation still replaces older ones.
 * @throws TrustUnavailableError
 */
export async function listFromExplorer(query: SourceQuery): Promise<ListedAttestation[]> {
  const found = new Map<Hex, ListedAttestation>();
  for (let page = 1; page <= MAX_PAGES; page++) {
    const logs = await ask("the block explorer", query, () => fetchPage(query, page));
    const before = found.size;
    let others = 0;
    for (const { transactionHash, timeStamp, ...log } of logs) {
      const event = readAttested(query.attester.registry, log);
      if (!event || !isBy(query.attester, query.recipient, event)) others++;
      else found.set(event.uid, { uid: event.uid, transactionHash, time: timeStamp });
    }
    if (logs.length < PAGE) return [...found.values()];
    // An explorer without paging returns the first page forever.
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
  // Explorers require an operator for every pair of topics.
  for (const pair of ["0_1", "0_2", "0_3", "1_2", "1_3", "2_3"]) params.set(`topic${pair}_opr`, "and");
  params.set("page", String(page));
  params.set("offset", String(PAGE));
  const response = await cautiousFetch(query)(`${url}/api?${params}`, {
    headers: { accept: "application/json" },
  });
  return pageSchema.parse(await response.json()).result;
}
