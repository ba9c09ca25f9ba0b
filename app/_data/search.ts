import * as community from "@/lib/community";
import { type ClientInput, contract, type TopicListItem } from "@/lib/contract";
import { pageContext } from "@/lib/http/page";
import { type Read, read } from "./result";

/** What the search and topic pages read. */

export const found = (input: ClientInput<typeof contract.search.all>) =>
  read(async () => community.search(await pageContext(), contract.search.all.query.parse(input)));

/** Tags that start with `q`, or the most used ones. */
export const tags = (q?: string) =>
  read(async () => community.listTags(await pageContext(), contract.tags.list.query.parse({ q })));

export const gates = ["none", "domain", "kyc", "country"] as const;
type GateFilter = (typeof gates)[number];

type Gated = Pick<TopicListItem, "proofType">;

/** Returns the filter that matches a topic's gate. */
function gateKind({ proofType }: Gated): GateFilter {
  return proofType === "none" || proofType === "kyc" || proofType === "country" ? proofType : "domain";
}

type TopicsInput = ClientInput<typeof contract.topics.list>;
type TopicsPage<T> = { readonly topics: readonly T[]; readonly nextCursor: string | null };

const PAGE_SIZE = 100;
const MAX_PAGES = 5;
/** Matches after which the search for a gate stops. */
const ENOUGH = 20;

/**
 * Topics with one kind of gate. The API has no such filter, so this reads pages of all topics until it has enough
 * matches, reaches the end or has read `MAX_PAGES`. The returned cursor continues there, so no topic is skipped.
 */
export async function topicsWithGate<T extends Gated>(
  gate: GateFilter,
  input: TopicsInput,
  readPage: (input: TopicsInput) => Promise<Read<TopicsPage<T>>>,
): Promise<Read<TopicsPage<T>>> {
  const kept: T[] = [];
  let cursor = input.cursor;
  for (let page = 1; ; page += 1) {
    const list = await readPage({ ...input, limit: PAGE_SIZE, cursor });
    if (!list.ok) return list;
    kept.push(...list.value.topics.filter((topic) => gateKind(topic) === gate));
    const { nextCursor } = list.value;
    if (nextCursor === null || kept.length >= ENOUGH || page === MAX_PAGES) {
      return { ok: true, value: { topics: kept, nextCursor } };
    }
    cursor = nextCursor;
  }
}
