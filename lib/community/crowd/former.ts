import { sql } from "kysely";
import type { Db, Trx } from "@/db/schema";
import type { Context } from "@/lib/context";
import type { contract, HandlerInput } from "@/lib/contract";
import { Refusal } from "@/lib/errors";
import { termsAccess } from "@/lib/policy/anonymous";
import { assertAllowed } from "@/lib/policy/decision";
import { replacementStatement, topicElement } from "@/lib/proofs/anonymous/act";
import { CrowdTree } from "@/lib/proofs/anonymous/tree";
import { unlinkedWords } from "../anonymous/act";
import { bansAt } from "../anonymous/terms";
import { identityOf } from "../trust/days";
import type { Place } from "./withdraw";

/** How long the former leaf has to be gone: so long staff have to ban what it said last. */
const GONE_MS = 7 * 24 * 60 * 60 * 1000;

type Former = NonNullable<HandlerInput<typeof contract.crowd.enrol>["former"]>;

/** SQL: rows of this person, also those of an account that they withdrew. */
export function isTheirs({ userId }: Pick<Place, "userId">) {
  return sql<boolean>`(user_id = ${userId} or identity_hash = ${identityOf(userId)})`;
}

/** Returns the last leaf of this person that a root had; undefined for none. */
export async function lastEntered(db: Db | Trx, place: Omit<Place, "now">) {
  return await db
    .selectFrom("crowd_leaves")
    .select(["leaf", "withdrawn_at"])
    .where("topic_id", "=", place.topicId)
    .where(isTheirs(place))
    .where("entered", "is not", null)
    .orderBy("entered", "desc")
    .executeTakeFirst();
}

/**
 * Returns the public inputs of the proof that whoever has the former leaf's secret enrolls a new leaf, and no ban meets them.
 * @throws Refusal no_former_leaf, former_leaf_recent, terms_expired
 */
export async function formerWords(
  db: Db | Trx,
  { now }: Pick<Context, "now">,
  { topicId, userId }: Omit<Place, "now">,
  { leaf, former }: { readonly leaf: string; readonly former: Former },
) {
  const at = new Date(former.at);
  const last = await lastEntered(db, { topicId, userId });
  if (!last || last.leaf === leaf) throw new Refusal("no_former_leaf");
  const isGone = last.withdrawn_at !== null && now().getTime() - last.withdrawn_at.getTime() >= GONE_MS;
  if (!isGone) throw new Refusal("former_leaf_recent");
  assertAllowed(termsAccess(at, null, now()));
  const bans = await bansAt(db, topicId, at);
  const of = {
    ...replacementStatement({ topicId, leaf }),
    root: (await CrowdTree.of([BigInt(last.leaf)])).root,
    topic: topicElement(topicId),
    bans: bans.map(({ week, tag }) => ({ week: BigInt(week), tag: BigInt(tag) })),
  };
  return unlinkedWords(of, former);
}
