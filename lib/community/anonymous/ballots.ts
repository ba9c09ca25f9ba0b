import { sql } from "kysely";
import { z } from "zod";
import type { Db, Trx } from "@/db/schema";
import type { Context, Handler } from "@/lib/context";
import type { contract, HandlerInput } from "@/lib/contract";
import { Refusal } from "@/lib/errors";
import { anonymousAccess, crowdAccess } from "@/lib/policy/anonymous";
import { assertAllowed } from "@/lib/policy/decision";
import { type Ballot, ballotStatement } from "@/lib/proofs/anonymous/act";
import { transact } from "@/lib/sql/transact";
import { latestRoot } from "../crowd/view";
import { decodeParts, encodeParts } from "../paging";
import { chosenOptions } from "../polls/vote";
import { authorizePost } from "../posts/load";
import { assertProven, proofBytes, unlinkedWords } from "./act";
import { knownPost, shownPost } from "./place";
import { anonymousTopic, ballotCircumstances, hex } from "./terms";

type BallotBody = HandlerInput<typeof contract.anonymous.ballot>;

/**
 * Returns the number of the root whose crowd votes in a poll that opens now; null where votes have names.
 * @throws Refusal anonymous_off, topic_frozen, crowd_too_small
 */
export async function ballotRootOf(
  { anonymous, db }: Pick<Context, "anonymous" | "db">,
  { id }: { readonly id: string },
  { isSecret }: { readonly isSecret?: boolean },
): Promise<number | null> {
  if (!isSecret) return null;
  assertAllowed(anonymousAccess(await anonymousTopic(db, id), "comment"));
  const root = await latestRoot(db, id);
  assertAllowed(crowdAccess(root?.size ?? 0, anonymous));
  return root?.number ?? null;
}

interface PollRow {
  readonly id: string;
  readonly root: number | null;
  readonly multipleChoice: boolean;
  readonly isClosed: boolean;
  readonly options: readonly { readonly id: string }[];
}

/** @throws Refusal poll_not_found, poll_named */
async function pollAt(db: Db | Trx, postId: string, now: Date) {
  const { rows } = await sql<PollRow>`
    select q.id, q.ballot_root as root, q.multiple_choice as "multipleChoice",
      coalesce(q.closes_at <= ${now}, false) as "isClosed",
      (select json_agg(json_build_object('id', o.id) order by o.position) from poll_options o where o.poll_id = q.id) as options
    from polls q where q.post_id = ${postId}`.execute(db);
  const [poll] = rows;
  if (!poll) throw new Refusal("poll_not_found");
  const { root } = poll;
  if (root === null) throw new Refusal("poll_named");
  return { ...poll, root };
}

/** @throws Refusal poll_not_found, poll_named, poll_closed */
async function openPoll(db: Db | Trx, postId: string, now: Date) {
  const poll = await pollAt(db, postId, now);
  if (poll.isClosed) throw new Refusal("poll_closed");
  return poll;
}

/** POST /api/posts/{postId}/poll/ballots: ballot, proof and counts are one transaction. */
export const castBallot: Handler<typeof contract.anonymous.ballot> = async (ctx, input) => {
  const { db } = ctx;
  const { post, topic } = await knownPost(ctx, input.postId, input.key);
  if (topic.frozen) throw new Refusal("topic_frozen");
  const poll = await openPoll(db, post.id, ctx.now());
  const ballot = ballotOf(topic.id, poll, input);
  const words = await wordsOf(db, ctx.now(), ballot, poll.root, input);
  await assertProven(ctx, input.membership.proof, words);
  await transact(db, async (trx) => {
    // As any vote of the poll does, so that its counts equal its ballots.
    await sql`select from posts where id = ${post.id} for update`.execute(trx);
    await shownPost(trx, post.id, true);
    if ((await anonymousTopic(trx, topic.id)).frozen) throw new Refusal("topic_frozen");
    // Options and bans that changed meanwhile: no vote has frozen the poll yet.
    const current = await openPoll(trx, post.id, ctx.now());
    const still = await wordsOf(trx, ctx.now(), ballotOf(topic.id, current, input), current.root, input);
    if (still.some((word, i) => word !== words[i])) throw new Refusal("terms_expired");
    await put(trx, ballot, words, input.membership);
  });
  return { options: await optionsOf(db, poll.id) };
};

/** The choice in the order of the poll. @throws Refusal poll_option_unknown; invalid_request */
function ballotOf(topicId: string, poll: PollRow, { optionIds, counter }: BallotBody): Ballot {
  const chosen = new Set(chosenOptions(poll, optionIds));
  const ordered = poll.options.flatMap(({ id }) => (chosen.has(id) ? [id] : []));
  return { topicId, pollId: poll.id, optionIds: ordered, counter };
}

async function wordsOf(db: Db, now: Date, ballot: Ballot, root: number, { membership }: BallotBody) {
  const of = await ballotCircumstances(db, now, ballot, { root, at: new Date(membership.at) });
  return unlinkedWords(of, membership);
}

/** Writes a ballot in the place of the member's last one. @throws Refusal ballot_replaced */
async function put(
  trx: Trx,
  ballot: Ballot,
  words: readonly string[],
  { scopeNullifier, proof }: BallotBody["membership"],
): Promise<void> {
  const { pollId, optionIds, counter } = ballot;
  const signal = hex(ballotStatement(ballot).signal);
  const before = await trx
    .selectFrom("secret_ballots")
    .select(["counter", "signal", "option_ids"])
    .where("poll_id", "=", pollId)
    .where("scope_nullifier", "=", scopeNullifier)
    .executeTakeFirst();
  if (before?.signal === signal) return;
  if (before && before.counter >= counter) throw new Refusal("ballot_replaced", { field: "counter" });
  const values = {
    counter,
    option_ids: [...optionIds],
    signal,
    public_inputs: [...words],
    proof: proofBytes(proof),
  };
  await trx
    .insertInto("secret_ballots")
    .values({ poll_id: pollId, scope_nullifier: scopeNullifier, ...values })
    .onConflict((conflict) => conflict.columns(["poll_id", "scope_nullifier"]).doUpdateSet(values))
    .execute();
  await sql`update poll_options o set vote_count = o.vote_count + v.by
    from (select id, sum(by)::int as by from (
      select unnest(${optionIds}::uuid[]) as id, 1 as by
      union all select unnest(${before?.option_ids ?? []}::uuid[]), -1) each group by id) v
    where o.id = v.id and v.by <> 0`.execute(trx);
}

async function optionsOf(db: Db, pollId: string) {
  return await db
    .selectFrom("poll_options")
    .select(["id", "text", "position", "vote_count as voteCount"])
    .where("poll_id", "=", pollId)
    .orderBy("position")
    .execute();
}

const cursorParts = z.tuple([z.string().length(66)]);

/** GET /api/posts/{postId}/poll/ballots @throws Refusal poll_not_found, poll_named */
export const listBallots: Handler<typeof contract.anonymous.ballots> = async (ctx, input) => {
  const { caller, db } = ctx;
  const post = await authorizePost(db, input.postId, caller, "read");
  const poll = await pollAt(db, post.id, ctx.now());
  const [after] = decodeParts(input.cursor, cursorParts) ?? [];
  const { limit } = input;
  const { rows } = await sql<{
    voter: string;
    optionIds: string[];
    counter: number;
    publicInputs: string[];
    proof: string;
  }>`select scope_nullifier as voter, option_ids as "optionIds", counter, public_inputs as "publicInputs",
      '0x' || encode(proof, 'hex') as proof
    from secret_ballots where poll_id = ${poll.id} and scope_nullifier > ${after ?? ""}
    order by scope_nullifier limit ${limit + 1}`.execute(db);
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    ballots: page.map(({ voter: _, ...ballot }) => ballot),
    nextCursor: last ? encodeParts([last.voter]) : null,
  };
};
