import { sql } from "kysely";
import type { Trx } from "@/db/schema";
import type { Handler, MemberContext } from "@/lib/context";
import type { contract } from "@/lib/contract";
import type { CaseAction, CaseKind, CaseResult } from "@/lib/contract/queue";
import { isRefusal, Refusal } from "@/lib/errors";
import { deleteMessageWithin, setMessageHidden } from "../chat/change";
import { deleteCommentWithin } from "../comments/change";
import { deletePostWithin } from "../posts/delete";
import { authorizeLockedTopic } from "../topics/membership";
import { topicScoreLater } from "../topics/score";
import { moveWithheld } from "../uploads/of-post";
import { removeUploads } from "../uploads/store";
import { type Effects, write } from "../write";
import { setHidden } from "./hide";
import { openCases } from "./queue";
import { closeReports } from "./reports";

interface CaseId {
  readonly kind: CaseKind;
  readonly targetId: string;
}

interface DecisionInput {
  readonly action: CaseAction;
  readonly reason?: string;
}

/**
 * POST /api/moderation/queue: decides cases, each in a transaction of its own, so that one that fails leaves the others
 * done. Of two staff who decide the same case, one is refused with `case_decided` and changes nothing.
 */
export const decideCases: Handler<typeof contract.moderation.decideCases> = async (ctx, input) => {
  const { cases, ...decision } = input;
  const results: CaseResult[] = [];
  for (const { kind, targetId } of cases) {
    const at = { kind, targetId };
    try {
      results.push({ ...at, done: true, closedReports: await decideCase(ctx, at, decision), error: null });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const { code, message } = error;
      results.push({ ...at, done: false, closedReports: 0, error: { code, message } });
    }
  }
  return { results };
};

/** @returns how many reports it closed */
async function decideCase(ctx: MemberContext, at: CaseId, decision: DecisionInput): Promise<number> {
  const { closed, finish } = await write(ctx, (trx, effects) => decideIn(trx, effects, ctx, at, decision));
  await finish();
  return closed;
}

const nothing = async () => undefined;

async function decideIn(
  trx: Trx,
  effects: Effects,
  ctx: MemberContext,
  at: CaseId,
  { action, reason }: DecisionInput,
): Promise<{ readonly closed: number; readonly finish: () => Promise<void> }> {
  const now = ctx.now();
  const place = await lockContent(trx, at);
  // Every decision of a topic queues at its row, and this statement sees the one before.
  await authorizeLockedTopic(trx, place.topicId, ctx.caller, "moderate");
  const open = await readCase(trx, place.topicId, at);
  if (!open) throw new Refusal("case_decided");
  const { caller } = ctx;
  const keepsContent = action === "approve" || action === "dismiss";
  const closed = await closeReports(
    trx,
    { ...place, comment_id: at.kind === "post" ? null : at.targetId },
    { caller, action: keepsContent ? "dismiss" : "resolve", reason, now },
  );
  if (action === "dismiss" || action === "resolve") {
    // Nothing was reported: the text only waits, which these do not decide.
    if (closed === 0) throw new Refusal("case_decided");
    return { closed, finish: nothing };
  }
  if (open.deleted) {
    if (closed === 0) throw new Refusal("case_decided");
    return { closed, finish: nothing };
  }
  if (action === "delete") return { closed, finish: await deleteIn(trx, effects, ctx, at, reason) };
  const hidden = action === "hide";
  if (at.kind === "message") {
    await setMessageHidden(trx, effects, ctx, { messageId: at.targetId, hidden, reason });
    return { closed, finish: nothing };
  }
  const { pictures } = await setHidden(trx, effects, ctx, { kind: at.kind, id: at.targetId, hidden, reason });
  return { closed, finish: () => moveWithheld(ctx, pictures) };
}

async function deleteIn(
  trx: Trx,
  effects: Effects,
  ctx: MemberContext,
  { kind, targetId }: CaseId,
  reason: string | undefined,
): Promise<() => Promise<void>> {
  if (kind === "post") {
    const { topicId, pictures } = await deletePostWithin(trx, effects, ctx, { postId: targetId, reason });
    return async () => {
      await removeUploads(ctx, pictures);
      topicScoreLater(ctx, topicId);
    };
  }
  if (kind === "comment") await deleteCommentWithin(trx, effects, ctx, { commentId: targetId, reason });
  else await deleteMessageWithin(trx, effects, ctx, { messageId: targetId, reason });
  return nothing;
}

/**
 * Locks the post of a case, which comes before its topic in the lock order. The caller's rights are checked next.
 * @throws Refusal post_not_found, comment_not_found, message_not_found
 */
async function lockContent(
  trx: Trx,
  { kind, targetId }: CaseId,
): Promise<{ readonly topicId: string; readonly post_id: string | null }> {
  if (kind === "message") {
    const { rows } = await sql<{ topic_id: string }>`
      select topic_id from chat_messages where id = ${targetId} and type = 'message'
      union select topic_id from reports where post_id is null and comment_id = ${targetId} limit 1`.execute(
      trx,
    );
    if (!rows[0]) throw new Refusal("message_not_found");
    return { topicId: rows[0].topic_id, post_id: null };
  }
  const { rows } = await sql<{ id: string; topic_id: string }>`
    select id, topic_id from posts where id = ${
      kind === "post" ? sql`${targetId}` : sql`(select post_id from comments where id = ${targetId})`
    } for update`.execute(trx);
  const [post] = rows;
  if (!post) throw new Refusal(kind === "post" ? "post_not_found" : "comment_not_found");
  return { topicId: post.topic_id, post_id: post.id };
}

/** Returns whether the content of an open case is deleted; null without a case. */
async function readCase(
  trx: Trx,
  topicId: string,
  at: CaseId,
): Promise<{ readonly deleted: boolean } | null> {
  const table = { post: "posts", comment: "comments", message: "chat_messages" }[at.kind];
  const { rows } = await sql<{ deleted: boolean }>`
    select not exists (select from ${sql.table(table)} x where x.id = ${at.targetId} and x.deleted_at is null) as deleted
    from (${openCases([topicId], at)}) cases`.execute(trx);
  return rows[0] ?? null;
}
