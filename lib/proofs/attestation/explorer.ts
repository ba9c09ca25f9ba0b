import { type Hex, pad, toEventSelector } from "viem";
import { z } from "zod";
import { TrustUnavailableError } from "../errors";
import { hex32Schema } from "../hex";
import { ask, cautiousFetch } from "./http";
import { isBy, logSchema, quantitySchema, readAttested } from "./registry";
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
export async function listFromExplorer(query: SourceQuery): Promise<ListedAttestation[]> {
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
