import { numberToHex } from "viem";
import { z } from "zod";
import type { Db } from "@/db/schema";
import type { Visibility } from "@/db/schema/community";
import type { Context, Handler } from "@/lib/context";
import type { BinaryAnswer, contract, HandlerInput } from "@/lib/contract";
import type { Crowd, CrowdRoot } from "@/lib/contract/crowd";
import { Refusal } from "@/lib/errors";
import type { AnonymousSettings } from "@/lib/policy/anonymous";
import { EMPTY_LEAF } from "@/lib/proofs/anonymous/tree";
import { cutPage, decodeParts, encodeParts } from "../paging";
import { authorizeTopic } from "../topics/load";

/** Returns the moment at which the roots of now are published: the same for all, so that it says nothing of anyone. */
export function roundOf({ roundMs }: Pick<AnonymousSettings, "roundMs">, now: Date): Date {
  return new Date(now.getTime() - (now.getTime() % roundMs));
}

const columns = ["number", "root", "size", "published_at", "hash"] as const;

interface RootRow {
  readonly number: number;
  readonly root: string;
  readonly size: number;
  readonly published_at: Date;
  readonly hash: string;
}

function rootView({ published_at, ...root }: RootRow): CrowdRoot {
  return { ...root, publishedAt: published_at.toISOString() };
}

/** Returns the latest root of a topic's crowd; null before the first. */
export async function latestRoot(db: Db, topicId: string): Promise<CrowdRoot | null> {
  const latest = await db
    .selectFrom("crowd_roots")
    .select(columns)
    .where("topic_id", "=", topicId)
    .orderBy("number", "desc")
    .executeTakeFirst();
  return latest ? rootView(latest) : null;
}

/** Returns what whoever acts in a topic shows instead of a session; null where everyone reads it. */
export function termsKeyOf(
  { anonymous }: Pick<Context, "anonymous">,
  { id, visibility }: { readonly id: string; readonly visibility: Visibility },
): string | null {
  return visibility === "public" ? null : anonymous.keyOf(id);
}

/** Returns a crowd as this caller sees it. Only for topics whose content the policy lets them read. */
export async function crowdView(
  ctx: Pick<Context, "anonymous" | "db" | "now">,
  topic: { readonly id: string; readonly visibility: Visibility },
  userId: string | null,
): Promise<Crowd> {
  const { db, now } = ctx;
  const topicId = topic.id;
  const [latest, own] = await Promise.all([
    latestRoot(db, topicId),
    userId === null
      ? undefined
      : db
          .selectFrom("crowd_leaves")
          .select(["leaf", "enrolled_at", "counts_from", "entered"])
          .where("topic_id", "=", topicId)
          .where("user_id", "=", userId)
          .where("withdrawn_at", "is", null)
          .executeTakeFirst(),
  ]);
  return {
    latest,
    termsKey: termsKeyOf(ctx, topic),
    minimum: ctx.anonymous.minimum,
    nextAt: new Date(roundOf(ctx.anonymous, now()).getTime() + ctx.anonymous.roundMs).toISOString(),
    own: own
      ? {
          leaf: own.leaf,
          enrolledAt: own.enrolled_at.toISOString(),
          countsFrom: own.counts_from.toISOString(),
          isCounted: own.entered !== null,
        }
      : null,
  };
}

/** GET /api/topics/{topicId}/crowd */
export const getCrowd: Handler<typeof contract.crowd.get> = async (ctx, { topicId }) => {
  const { caller, db } = ctx;
  const topic = await authorizeTopic(db, topicId, caller, "readContent");
  return { crowd: await crowdView(ctx, topic, caller?.userId ?? null) };
};

const cursorParts = z.tuple([z.int().min(1).max(2_147_483_647)]);

/** GET /api/topics/{topicId}/crowd/roots */
export const listRoots: Handler<typeof contract.crowd.roots> = async ({ caller, db }, input) => {
  const { topicId, limit, offset, cursor } = input;
  await authorizeTopic(db, topicId, caller, "readContent");
  const [before] = decodeParts(cursor, cursorParts) ?? [];
  let query = db.selectFrom("crowd_roots").select(columns).where("topic_id", "=", topicId);
  if (before !== undefined) query = query.where("number", "<", before);
  const found = await query
    .orderBy("number", "desc")
    .offset(before === undefined ? offset : 0)
    .limit(limit + 1)
    .execute();
  const { rows, nextCursor } = cutPage(found, input, ({ number }) => encodeParts([number]));
  return { roots: rows.map(rootView), nextCursor };
};

/** Leaves of a topic that only members read must not stay in a shared cache. */
const CACHED = "max-age=31536000, immutable";

/** GET /api/topics/{topicId}/crowd/roots/{number}/leaves @throws Refusal root_not_found */
export async function getLeaves(
  { caller, db }: Context,
  { topicId, number }: HandlerInput<typeof contract.crowd.leaves>,
): Promise<BinaryAnswer> {
  const topic = await authorizeTopic(db, topicId, caller, "readContent");
  const root = await db
    .selectFrom("crowd_roots")
    .select("number")
    .where("topic_id", "=", topicId)
    .where("number", "=", number)
    .executeTakeFirst();
  if (!root) throw new Refusal("root_not_found");
  const scope = topic.visibility === "public" ? "public" : "private";
  return {
    contentType: "application/octet-stream",
    body: packedLeaves(db, topicId, number),
    headers: { "Cache-Control": `${scope}, ${CACHED}` },
  };
}

/** A full crowd has a million leaves: they are read and sent in parts, of 320 KB. */
const PART = 10_000;

/** They never change once the root is published, so that parts read at different times fit. */
function packedLeaves(db: Db, topicId: string, number: number): ReadableStream<Uint8Array<ArrayBuffer>> {
  let from = 0;
  return new ReadableStream({
    async pull(controller) {
      const leaves = await leavesOf(db, topicId, number, { from, count: PART });
      if (leaves.length > 0) controller.enqueue(new Uint8Array(Buffer.from(leaves.join(""), "hex")));
      if (leaves.length < PART) controller.close();
      from += leaves.length;
    },
  });
}

const unprefixed = (hex: string) => hex.slice(2);
const EMPTY = unprefixed(numberToHex(EMPTY_LEAF, { size: 32 }));

/** Returns the leaves of a published root, by place, 64 hex digits each. @param part by default all */
export async function leavesOf(
  db: Db,
  topicId: string,
  number: number,
  part?: { readonly from: number; readonly count: number },
): Promise<string[]> {
  let query = db
    .selectFrom("crowd_leaves")
    .select(["leaf", "gone"])
    .where("topic_id", "=", topicId)
    .where("entered", "<=", number)
    .orderBy("place");
  if (part) query = query.where("place", ">=", part.from).limit(part.count);
  const rows = await query.execute();
  return rows.map(({ leaf, gone }) => (gone !== null && gone <= number ? EMPTY : unprefixed(leaf)));
}
