import { createHash, timingSafeEqual } from "node:crypto";
import { numberToHex } from "viem";
import type { Db, Trx } from "@/db/schema";
import type { Context, Handler } from "@/lib/context";
import type { contract } from "@/lib/contract";
import { LIMITS } from "@/lib/contract/limits";
import type { AnonymousMode } from "@/lib/contract/topics";
import { Refusal } from "@/lib/errors";
import { crowdAccess, termsAccess } from "@/lib/policy/anonymous";
import { assertAllowed } from "@/lib/policy/decision";
import { type Ballot, ballotStatement, epochOf, topicElement, weekOf } from "@/lib/proofs/anonymous/act";
import type { Circumstances } from "@/lib/proofs/anonymous/statement";
import { latestRoot, termsKeyOf } from "../crowd/view";

/** A topic as anonymous acts see it: nobody calls, so nothing depends on who does. */
export interface AnonymousTopic {
  readonly id: string;
  readonly visibility: "public" | "private" | "secret";
  readonly category_id: string | null;
  readonly anonymous: AnonymousMode;
  readonly frozen: boolean;
  readonly review_words: readonly string[];
  readonly links_after_posts: number;
}

/** Loads a topic for someone who sent this key. @throws Refusal topic_not_found, also for another key than the topic's */
export async function knownTopic(
  ctx: Pick<Context, "anonymous" | "db">,
  id: string,
  key: string | undefined,
): Promise<AnonymousTopic> {
  const topic = await anonymousTopic(ctx.db, id);
  const expected = termsKeyOf(ctx, topic);
  const digest = (text: string) => createHash("sha256").update(text).digest();
  const isKnown = expected === null || timingSafeEqual(digest(expected), digest(key ?? ""));
  if (!isKnown) throw new Refusal("topic_not_found");
  return topic;
}

/** Loads a topic. @throws Refusal topic_not_found */
export async function anonymousTopic(db: Db, id: string): Promise<AnonymousTopic> {
  const row = await db
    .selectFrom("topics")
    .select([
      "id",
      "visibility",
      "category_id",
      "anonymous",
      "frozen_at",
      "review_words",
      "links_after_posts",
    ])
    .where("id", "=", id)
    .executeTakeFirst();
  if (!row) throw new Refusal("topic_not_found");
  const { frozen_at, ...topic } = row;
  return { ...topic, frozen: frozen_at !== null };
}

/** Returns the bans of a topic as they were at a moment, in the order of a proof's public inputs. */
export async function bansAt(db: Db | Trx, topicId: string, at: Date) {
  return await db
    .selectFrom("anonymous_bans")
    .select(["week", "tag"])
    .where("topic_id", "=", topicId)
    .where("created_at", "<=", at)
    .where("ends_at", ">", at)
    .orderBy("week")
    .orderBy("tag")
    .execute();
}

/** GET /api/topics/{topicId}/anonymous */
export const readTerms: Handler<typeof contract.anonymous.terms> = async (ctx, { topicId, key }) => {
  const { db } = ctx;
  const at = ctx.now();
  const topic = await knownTopic(ctx, topicId, key);
  return {
    terms: {
      at: at.toISOString(),
      anonymous: topic.anonymous,
      topic: hex(topicElement(topic.id)),
      root: await latestRoot(db, topic.id),
      minimum: ctx.anonymous.minimum,
      epoch: epochOf(at),
      limit: LIMITS.anonymous.perDay,
      week: weekOf(at),
      bans: await bansAt(db, topic.id, at),
    },
  };
};

/** A field element as requests, answers and rows have it. */
export function hex(element: bigint): `0x${string}` {
  return numberToHex(element, { size: 32 });
}

/**
 * Returns what a ballot's proof has to show, all of it from the database but the choice.
 * @param root number of the poll's root
 * @param at when the terms were read
 * @throws Refusal terms_expired
 */
export async function ballotCircumstances(
  db: Db,
  now: Date,
  ballot: Ballot,
  { root, at }: { readonly root: number; readonly at: Date },
): Promise<Circumstances> {
  const { topicId } = ballot;
  assertAllowed(termsAccess(at, null, now));
  const crowd = await db
    .selectFrom("crowd_roots")
    .select("root")
    .where("topic_id", "=", topicId)
    .where("number", "=", root)
    .executeTakeFirstOrThrow();
  const bans = await bansAt(db, topicId, at);
  return {
    ...ballotStatement(ballot),
    root: BigInt(crowd.root),
    topic: topicElement(topicId),
    bans: bans.map(({ week, tag }) => ({ week: BigInt(week), tag: BigInt(tag) })),
  };
}

/**
 * Returns what a proof about these terms has to show, all of it from the database.
 * @param root number of the crowd's root
 * @param at when the terms were read
 * @throws Refusal terms_expired, crowd_too_small
 */
export async function circumstancesOf(
  db: Db,
  { anonymous, now }: Pick<Context, "anonymous" | "now">,
  topicId: string,
  { root, at }: { readonly root: number; readonly at: Date },
): Promise<Omit<Circumstances, "scope" | "signal">> {
  const roots = await db
    .selectFrom("crowd_roots")
    .select(["number", "root", "size", "published_at"])
    .where("topic_id", "=", topicId)
    .where("number", "in", [root, root + 1])
    .execute();
  const theirs = roots.find(({ number }) => number === root);
  const next = roots.find(({ number }) => number === root + 1);
  if (!theirs) throw new Refusal("terms_expired", { field: "membership.root" });
  assertAllowed(crowdAccess(theirs.size, anonymous));
  assertAllowed(termsAccess(at, next?.published_at ?? null, now()));
  const bans = await bansAt(db, topicId, at);
  return {
    root: BigInt(theirs.root),
    topic: topicElement(topicId),
    epoch: BigInt(epochOf(at)),
    limit: LIMITS.anonymous.perDay,
    week: BigInt(weekOf(at)),
    bans: bans.map(({ week, tag }) => ({ week: BigInt(week), tag: BigInt(tag) })),
  };
}
