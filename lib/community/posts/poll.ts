import { randomUUID } from "node:crypto";
import type { Trx } from "@/db/schema";
import type { contract, HandlerInput } from "@/lib/contract";
import { Refusal } from "@/lib/errors";

/** A poll to add. */
export interface NewPoll
  extends Omit<NonNullable<HandlerInput<typeof contract.posts.create>["poll"]>, "isSecret"> {
  /** Number of the crowd's root that casts secret ballots; null where votes have names. */
  readonly ballotRoot: number | null;
}
type PollPatch = NonNullable<HandlerInput<typeof contract.posts.update>["poll"]>;

/** Adds a poll to a post. */
export async function insertPoll(trx: Trx, postId: string, poll: NewPoll, now: Date): Promise<void> {
  const id = randomUUID();
  await trx
    .insertInto("polls")
    .values({
      id,
      post_id: postId,
      question: poll.question ?? null,
      multiple_choice: poll.multipleChoice,
      closes_at: timeOf(poll.closesAt ?? null),
      created_at: now,
      ballot_root: poll.ballotRoot,
    })
    .execute();
  await insertOptions(trx, id, poll.options);
}

async function insertOptions(trx: Trx, pollId: string, options: readonly string[]): Promise<void> {
  await trx
    .insertInto("poll_options")
    .values(options.map((text, position) => ({ poll_id: pollId, text, position })))
    .execute();
}

/** Deletes a post's poll with its votes. */
export async function removePoll(trx: Trx, postId: string): Promise<void> {
  await trx.deleteFrom("polls").where("post_id", "=", postId).execute();
}

/**
 * Changes a post's poll, or adds one. After the first vote, its options and `multipleChoice` can't change (spec, PATCH
 * /api/posts/{postId}). The post's row must be locked, where votes queue too.
 * @throws Refusal poll_frozen; invalid_request with field poll.options for a new poll without options
 */
export async function changePoll(trx: Trx, postId: string, patch: PollPatch, now: Date): Promise<void> {
  const poll = await trx
    .selectFrom("polls")
    .select(["id", "question", "multiple_choice", "closes_at"])
    .where("post_id", "=", postId)
    .executeTakeFirst();
  if (!poll) return await insertPoll(trx, postId, newPoll(patch), now);
  const options = await changedOptions(trx, poll.id, patch.options);
  const multiple = patch.multipleChoice ?? poll.multiple_choice;
  const frozen = await hasVotes(trx, poll.id);
  if (frozen && (options || multiple !== poll.multiple_choice)) throw new Refusal("poll_frozen");
  await trx
    .updateTable("polls")
    .set({
      question: patch.question === undefined ? poll.question : patch.question,
      multiple_choice: multiple,
      closes_at: patch.closesAt === undefined ? poll.closes_at : timeOf(patch.closesAt),
    })
    .where("id", "=", poll.id)
    .execute();
  if (!options) return;
  await trx.deleteFrom("poll_options").where("poll_id", "=", poll.id).execute();
  await insertOptions(trx, poll.id, options);
}

function timeOf(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}

function newPoll(patch: PollPatch): NewPoll {
  const { question, options, multipleChoice, closesAt } = patch;
  if (!options) {
    throw new Refusal("invalid_request", { field: "poll.options", message: "A new poll needs options." });
  }
  return {
    options,
    question: question ?? undefined,
    multipleChoice: multipleChoice ?? false,
    closesAt: closesAt ?? undefined,
    ballotRoot: null,
  };
}

/** Returns the new options; null if they are those of the poll. */
async function changedOptions(
  trx: Trx,
  pollId: string,
  options: readonly string[] | undefined,
): Promise<readonly string[] | null> {
  if (!options) return null;
  const rows = await trx
    .selectFrom("poll_options")
    .select("text")
    .where("poll_id", "=", pollId)
    .orderBy("position")
    .execute();
  const same = rows.length === options.length && rows.every(({ text }, index) => text === options[index]);
  return same ? null : options;
}

async function hasVotes(trx: Trx, pollId: string): Promise<boolean> {
  const of = (table: "poll_votes" | "secret_ballots") =>
    trx.selectFrom(table).select("poll_id").where("poll_id", "=", pollId).limit(1).executeTakeFirst();
  return (await of("poll_votes")) !== undefined || (await of("secret_ballots")) !== undefined;
}
