import type { Trx } from "@/db/schema";
import type { Handler, MemberContext } from "@/lib/context";
import type { contract, Poll } from "@/lib/contract";
import { Refusal } from "@/lib/errors";
import { transact } from "@/lib/sql/transact";
import { authorizeLockedPost, loadPost, type PollRow } from "../posts/load";
import { pollView } from "../posts/view";

/**
 * POST /api/posts/{postId}/poll/vote. In a poll with one choice, the vote replaces the previous one. With several
 * choices, votes are added, and repeated ones change nothing.
 */
export const votePoll: Handler<typeof contract.posts.votePoll> = async (ctx, { postId, optionIds }) => {
  return await changeVotes(ctx, postId, (poll) => {
    const chosen = chosenOptions(poll, optionIds);
    return poll.multipleChoice ? [...poll.votedOptionIds, ...chosen] : chosen;
  });
};

/** DELETE /api/posts/{postId}/poll/vote: removes all votes of the caller. */
export const clearPollVote: Handler<typeof contract.posts.clearPollVote> = async (ctx, { postId }) => {
  return await changeVotes(ctx, postId, () => []);
};

/**
 * Writes the difference between the caller's previous votes and the new ones. The lock on the post's row makes votes in
 * one poll queue, so that its counts equal its votes.
 */
async function changeVotes(
  { caller, db, now }: MemberContext,
  postId: string,
  choose: (poll: PollRow) => readonly string[],
): Promise<{ poll: Poll }> {
  return await transact(db, async (trx) => {
    await authorizeLockedPost(trx, postId, caller, "write");
    const poll = await openPoll(trx, postId, caller.userId, now());
    const before = new Set(poll.votedOptionIds);
    const after = new Set(choose(poll));
    await addVotes(trx, { pollId: poll.id, userId: caller.userId, now: now() }, difference(after, before));
    await removeVotes(trx, { pollId: poll.id, userId: caller.userId }, difference(before, after));
    const { poll: changed } = await loadPost(trx, postId, caller.userId);
    if (!changed) throw new Refusal("poll_not_found");
    return { poll: pollView(changed, postId, now()) };
  });
}

/** @throws Refusal poll_not_found, poll_secret, poll_closed */
async function openPoll(trx: Trx, postId: string, userId: string, now: Date): Promise<PollRow> {
  const { poll } = await loadPost(trx, postId, userId);
  if (!poll) throw new Refusal("poll_not_found");
  if (poll.secret) throw new Refusal("poll_secret");
  if (pollView(poll, postId, now).isClosed) throw new Refusal("poll_closed");
  return poll;
}

/**
 * Returns what somebody chose, as the database writes it.
 * @throws Refusal poll_option_unknown; invalid_request for a second option in a poll with one choice
 */
export function chosenOptions(
  poll: {
    readonly multipleChoice: boolean;
    readonly options: readonly { readonly id: string }[];
  },
  optionIds: readonly string[],
): string[] {
  if (!poll.multipleChoice && optionIds.length !== 1) {
    throw new Refusal("invalid_request", {
      field: "optionIds",
      message: "This poll allows exactly one option.",
    });
  }
  const known = new Set(poll.options.map((option) => option.id));
  // The database writes ids in lower case; clients may not.
  const chosen = optionIds.map((id) => id.toLowerCase());
  const unknown = chosen.findIndex((id) => !known.has(id));
  if (unknown !== -1) throw new Refusal("poll_option_unknown", { field: `optionIds.${unknown}` });
  return chosen;
}

function difference(these: ReadonlySet<string>, those: ReadonlySet<string>): string[] {
  return [...these].filter((id) => !those.has(id));
}

interface Voter {
  readonly pollId: string;
  readonly userId: string;
}

async function addVotes(
  trx: Trx,
  { pollId, userId, now }: Voter & { readonly now: Date },
  optionIds: readonly string[],
): Promise<void> {
  if (optionIds.length === 0) return;
  await trx
    .insertInto("poll_votes")
    .values(optionIds.map((option_id) => ({ poll_id: pollId, option_id, user_id: userId, created_at: now })))
    .execute();
  await count(trx, optionIds, 1);
}

async function removeVotes(trx: Trx, { pollId, userId }: Voter, optionIds: readonly string[]): Promise<void> {
  if (optionIds.length === 0) return;
  await trx
    .deleteFrom("poll_votes")
    .where("poll_id", "=", pollId)
    .where("user_id", "=", userId)
    .where("option_id", "in", [...optionIds])
    .execute();
  await count(trx, optionIds, -1);
}

async function count(trx: Trx, optionIds: readonly string[], by: 1 | -1): Promise<void> {
  await trx
    .updateTable("poll_options")
    .set((eb) => ({ vote_count: eb("vote_count", "+", by) }))
    .where("id", "in", [...optionIds])
    .execute();
}
