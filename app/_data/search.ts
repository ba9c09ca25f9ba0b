import * as community from "@/lib/community";
import { type ClientInput, contract, type TopicListItem } from "@/lib/contract";
import { pageContext } from "@/lib/http/page";
import { topics } from "./reads";
import { type Read, read } from "./result";

/** What the pages that find things read. */

export const found = (input: ClientInput<typeof contract.search.all>) =>
  read(async () => community.search(await pageContext(), contract.search.all.query.parse(input)));

/** Tags that begin with `q`, or those most used. */
export const tags = (q?: string) =>
  read(async () => community.listTags(await pageContext(), contract.tags.list.query.parse({ q })));

export const gates = ["none", "domain", "kyc", "country"] as const;
export type GateFilter = (typeof gates)[number];

/** The filter that a topic's gate falls under. */
function gateKind({ proofType }: Pick<TopicListItem, "proofType">): GateFilter {
  return proofType === "none" || proofType === "kyc" || proofType === "country" ? proofType : "domain";
}

type TopicsInput = ClientInput<typeof contract.topics.list>;
type TopicsPage = { readonly topics: readonly TopicListItem[]; readonly nextCursor: string | null };

/** Topics read at once while some of a gate are looked for, how often, and how many of them are enough. */
const [pageOfAll, pagesAtMost, enough] = [100, 5, 20];

/**
 * Topics with one kind of gate. The API knows no such filter, so pages of all topics are read until enough are found, or
 * there are no more, or it takes too long; what follows begins where this ended, so that no topic is passed over.
 */
export async function topicsWithGate(
  gate: GateFilter,
  input: TopicsInput,
  readPage: (input: TopicsInput) => Promise<Read<TopicsPage>> = topics,
): Promise<Read<TopicsPage>> {
  const kept: TopicListItem[] = [];
  let cursor = input.cursor;
  for (let page = 1; ; page += 1) {
    const list = await readPage({ ...input, limit: pageOfAll, cursor });
    if (!list.ok) return list;
    kept.push(...list.value.topics.filter((topic) => gateKind(topic) === gate));
    const { nextCursor } = list.value;
    if (nextCursor === null || kept.length >= enough || page === pagesAtMost) {
      return { ok: true, value: { topics: kept, nextCursor } };
    }
    cursor = nextCursor;
  }
}
