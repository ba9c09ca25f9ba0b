import { ApiError } from "@/lib/client";
import { contract } from "@/lib/contract";
import { ballotStatement } from "@/lib/proofs/anonymous/act";
import { topicSecret } from "@/lib/proofs/anonymous/secret";
import { readElectorate } from "./crowd";
import { change, DELAY_MS, discardAct, refuse, type SendingParts } from "./entries";
import { type AnonymousEntry, read, type WaitingBallot, write } from "./store";

/** Ballots that another device cast meanwhile have higher counters. */
const MAX_ATTEMPTS = 12;

/** Proves and casts a ballot, in the place of the last one. @throws what the outbox reports */
export async function sendBallot(
  entry: AnonymousEntry,
  act: WaitingBallot,
  master: Uint8Array,
  parts: SendingParts,
): Promise<void> {
  const { userId } = entry;
  const { topicId, postId, pollId, optionIds, choice } = act;
  if (!(await read("crowds", userId, topicId, String(act.root)))) {
    // To fetch it says who does, so the ballot waits for another moment.
    await readElectorate(parts.signed, userId, act);
    if (!entry.isNow) return await change(entry, { dueAt: parts.now() + parts.random() * DELAY_MS });
  }
  const electorate = await readElectorate(parts.signed, userId, act);
  if (!electorate?.isIn) return await refuse(entry, "not_in_electorate");
  const { termsKey, root, leaves } = electorate.crowd;
  const key = termsKey ?? undefined;
  const secret = await topicSecret(master, topicId);
  let counter = ((await read("ballots", userId, pollId))?.counter ?? -1) + 1;
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts++) {
    const { terms } = await parts.nobody.call(contract.anonymous.terms, { topicId, key });
    const statement = ballotStatement({ topicId, pollId, optionIds, counter });
    const proven = await parts.proveUnlinked(statement, terms, { secret, root, leaves, slot: 0 });
    const membership = { at: terms.at, ...proven };
    try {
      await parts.nobody.call(contract.anonymous.ballot, { postId, key, optionIds, counter, membership });
      await write("ballots", { optionIds, choice, counter }, userId, pollId);
      return await discardAct(entry);
    } catch (error) {
      const code = error instanceof ApiError ? error.code : null;
      if (code === "ballot_replaced") counter = 2 * counter + 1;
      else if (code !== "terms_expired") throw error;
    }
  }
  throw new Error("the ballot was refused too often");
}
