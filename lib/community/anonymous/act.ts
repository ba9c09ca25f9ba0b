import { sql } from "kysely";
import { type Hex, hexToBytes } from "viem";
import type { Db, Trx } from "@/db/schema";
import type { Context } from "@/lib/context";
import type { Membership } from "@/lib/contract/anonymous";
import type { AnonymousAuthor } from "@/lib/contract/anonymous-author";
import { isRefusal, Refusal } from "@/lib/errors";
import { type AnonymousAct, signalOf, threadScope, weekOf } from "@/lib/proofs/anonymous/act";
import { tagCommitment } from "@/lib/proofs/anonymous/hash";
import { type Circumstances, publicWords } from "@/lib/proofs/anonymous/statement";
import { VerifierBusyError } from "@/lib/proofs/anonymous/verifier";
import { circumstancesOf, hex } from "./terms";
import { anonymousAuthorOf, authorsOf } from "./view";

/** An act whose proof holds, and what is to be kept of it. */
export interface ProvenAct {
  readonly topicId: string;
  readonly postId: string;
  readonly signal: string;
  readonly publicInputs: readonly string[];
  readonly membership: Membership;
}

/** Where an act that was done before stands. */
interface Done {
  readonly postId: string;
  readonly commentId: string | null;
  readonly anonymous: AnonymousAuthor;
}

/** After which whoever met a full queue may come back. */
const BUSY_SECONDS = 5;

type Checking = Pick<Context, "anonymous" | "now">;

/** Returns the public inputs of an act's proof: what is stored, and what only its author can say. */
async function wordsOf(db: Db, ctx: Checking, act: AnonymousAct, membership: Membership) {
  const { root, tag, blinding, slotNullifier, scopeNullifier } = membership;
  const terms = { root, at: new Date(membership.at) };
  const circumstances = await circumstancesOf(db, ctx, act.topicId, terms);
  const of = { ...circumstances, scope: threadScope(act.postId), signal: signalOf(act) };
  return publicWords(of, {
    slotNullifier: BigInt(slotNullifier),
    scopeNullifier: BigInt(scopeNullifier),
    tagCommitment: tagCommitment(BigInt(tag), BigInt(blinding)),
  });
}

/** Returns the act that used this slot, if it was the same one. @throws Refusal slot_used if it was another */
async function doneBefore(
  db: Db,
  topicId: string,
  slotNullifier: string,
  signal: string,
): Promise<Done | null> {
  const used = await db
    .selectFrom("anonymous_acts as a")
    .select(["a.signal", "a.post_id", "a.comment_id"])
    .where("a.topic_id", "=", topicId)
    .where("a.slot_nullifier", "=", slotNullifier)
    .executeTakeFirst();
  if (!used) return null;
  if (used.signal !== signal) throw new Refusal("slot_used", { field: "membership.slotNullifier" });
  const anonymous = await authorAt(db, used.post_id, used.comment_id);
  return { postId: used.post_id, commentId: used.comment_id, anonymous };
}

async function authorAt(db: Db, postId: string, commentId: string | null): Promise<AnonymousAuthor> {
  const { rows } = await sql<{ author: Parameters<typeof anonymousAuthorOf>[0] }>`
    select ${authorsOf(sql`a.post_id = ${postId} and a.comment_id is not distinct from ${commentId}::uuid`)} as author`.execute(
    db,
  );
  const author = anonymousAuthorOf(rows[0]?.author ?? null);
  if (!author) throw new Error("the act was not written");
  return author;
}

/**
 * Does an anonymous act once: checks its proof outside of any transaction, where it may take its time, then writes.
 * @param write the act itself, in one transaction: it asks `assertStillHolds` once it holds the topic, and ends with
 *   `insertAct`
 * @throws Refusal terms_expired, crowd_too_small, membership_invalid, slot_used; what `write` throws
 */
export async function actOnce(
  ctx: Checking & Pick<Context, "db">,
  act: AnonymousAct,
  membership: Membership,
  write: (proven: ProvenAct) => Promise<{ readonly commentId: string | null }>,
): Promise<Done> {
  const { db } = ctx;
  const signal = hex(signalOf(act));
  const { topicId, postId } = act;
  const before = await doneBefore(db, topicId, membership.slotNullifier, signal);
  if (before) return before;
  const publicInputs = await wordsOf(db, ctx, act, membership);
  await assertProven(ctx, membership.proof, publicInputs);
  try {
    const { commentId } = await write({ topicId, postId, signal, publicInputs, membership });
    return { postId, commentId, anonymous: await authorAt(db, postId, commentId) };
  } catch (error) {
    // Of the same act sent twice at once, the second is answered like the first.
    const lost = isRefusal(error) && (error.code === "slot_used" || error.code === "id_taken");
    const done = lost ? await doneBefore(db, topicId, membership.slotNullifier, signal) : null;
    if (done) return done;
    throw error;
  }
}

/** Returns the public inputs of a proof that commits to the tag of no week. */
export function unlinkedWords(
  of: Circumstances,
  said: Readonly<Record<"slotNullifier" | "scopeNullifier" | "tagCommitment", string>>,
): Hex[] {
  return publicWords(of, {
    slotNullifier: BigInt(said.slotNullifier),
    scopeNullifier: BigInt(said.scopeNullifier),
    tagCommitment: BigInt(said.tagCommitment),
  });
}

/** Refuses a proof that does not show these words. @throws Refusal membership_invalid; rate_limited while too many others wait */
export async function assertProven(
  { anonymous }: Pick<Context, "anonymous">,
  proof: string,
  words: readonly Hex[],
  field = "membership.proof",
): Promise<void> {
  const holds = await anonymous.verify(proofBytes(proof), words).catch((error: unknown) => {
    if (!(error instanceof VerifierBusyError)) throw error;
    throw new Refusal("rate_limited", {
      retryAfter: BUSY_SECONDS,
      message: "Many proofs wait. Send it again in a moment.",
    });
  });
  if (!holds) throw new Refusal("membership_invalid", { field });
}

/** Returns the bytes of a proof as requests have it. */
export function proofBytes(proof: string): Uint8Array {
  return hexToBytes(`0x${proof.slice(2)}`);
}

/** Refuses an act whose terms changed while its proof was checked. @throws Refusal terms_expired, crowd_too_small */
export async function assertStillHolds(
  trx: Trx,
  ctx: Checking,
  act: AnonymousAct,
  { membership, publicInputs }: ProvenAct,
): Promise<void> {
  const words = await wordsOf(trx, ctx, act, membership);
  if (words.some((word, i) => word !== publicInputs[i])) throw new Refusal("terms_expired");
}

/** Writes the proof of an act that was written in this transaction. @throws Refusal slot_used */
export async function insertAct(
  trx: Trx,
  { topicId, postId, signal, publicInputs, membership }: ProvenAct,
  commentId: string | null,
): Promise<void> {
  const inserted = await trx
    .insertInto("anonymous_acts")
    .values({
      topic_id: topicId,
      post_id: postId,
      comment_id: commentId,
      slot_nullifier: membership.slotNullifier,
      scope_nullifier: membership.scopeNullifier,
      signal,
      root: membership.root,
      week: weekOf(new Date(membership.at)),
      tag: membership.tag,
      public_inputs: [...publicInputs],
      proof: proofBytes(membership.proof),
    })
    .onConflict((conflict) => conflict.columns(["topic_id", "slot_nullifier"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  if (!inserted) throw new Refusal("slot_used", { field: "membership.slotNullifier" });
}
