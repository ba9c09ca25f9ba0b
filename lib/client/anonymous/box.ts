import type { createClient } from "@/lib/client";
import { contract } from "@/lib/contract";
import type { CrowdRoot } from "@/lib/contract/crowd";
import type { BallotBox, PublishedBallot } from "@/lib/proofs/anonymous/box";
import { fetchRoots } from "./roots";

/** A ballot box with the list of roots that it is checked against. */
export interface FetchedBox {
  readonly box: BallotBox;
  readonly roots: readonly CrowdRoot[];
}

/** Where somebody votes in the middle of each, the numbers do not fit, and say so. */
const MAX_LOOKS = 5;

/**
 * Fetches the whole ballot box of a post's poll. Numbers of votes and ballots are of the same moment, unless somebody votes
 * meanwhile.
 * @returns null where votes have names
 * @throws ApiError
 */
export async function fetchBox(
  client: Pick<ReturnType<typeof createClient>, "call">,
  postId: string,
  looks = MAX_LOOKS,
): Promise<FetchedBox | null> {
  const ballots: PublishedBallot[] = [];
  const { post: first } = await client.call(contract.posts.get, { postId });
  if (!first.poll?.secret) return null;
  for (let cursor: string | undefined; ; ) {
    const page = await client.call(contract.anonymous.ballots, { postId, limit: 100, cursor });
    ballots.push(...page.ballots);
    if (page.nextCursor === null) break;
    cursor = page.nextCursor;
  }
  const { post } = await client.call(contract.posts.get, { postId });
  const { poll } = post;
  if (!poll?.secret) return null;
  // Somebody voted meanwhile: the next look is of one moment.
  const isSame = poll.options.every(({ voteCount }, at) => first.poll?.options[at]?.voteCount === voteCount);
  if (!isSame && looks > 1) return await fetchBox(client, postId, looks - 1);
  const { topicId } = post;
  const { id: pollId, multipleChoice, options, secret } = poll;
  const box = { topicId, pollId, multipleChoice, options, root: secret.root, ballots };
  return { box, roots: await fetchRoots(client, topicId) };
}
