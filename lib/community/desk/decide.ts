import type { Trx } from "@/db/schema";
import type { DeskReportTable } from "@/db/schema/moderation";
import type { Handler, MemberContext } from "@/lib/context";
import type { contract } from "@/lib/contract";
import type { DeskAct } from "@/lib/contract/desk";
import { isRefusal, Refusal } from "@/lib/errors";
import { assertAllowed } from "@/lib/policy/decision";
import { deskAccess, mayActOn } from "@/lib/policy/desk";
import { assertFreshProof } from "@/lib/session/fresh-proof";
import { deleteMessageWithin, setMessageHidden } from "../chat/change";
import { lockRoom } from "../chat/entries";
import { deleteCommentWithin } from "../comments/change";
import { setHidden } from "../moderation/hide";
import { deletePostWithin } from "../posts/delete";
import { topicScoreLater } from "../topics/score";
import { moveWithheld } from "../uploads/of-post";
import { removeUploads } from "../uploads/store";
import { type Effects, write } from "../write";
import { removeImageWithin, resetNicknameWithin } from "./accounts";
import { lockFiles, reportedFiles, takeDownWithin } from "./files";
import { logOperatorAct } from "./log";
import { lockCase } from "./reports";
import { removeTagWithin } from "./tags";
import { setFrozen } from "./topics";

type Target = Pick<DeskReportTable, "kind" | "target_id" | "topic_id" | "post_id">;

/** An act, in the order in which its transaction runs it. */
interface Prepared {
  /** Locks what the act changes, before the reports: whoever reports or withdraws has the content first, too. */
  readonly lock: (trx: Trx) => Promise<unknown>;
  readonly run: (trx: Trx, effects: Effects) => Promise<Acted>;
}

/** What an act did. */
interface Acted {
  readonly changed: boolean;
  /** What follows after the commit, before the response. */
  readonly after?: () => Promise<unknown>;
}

/** Refusals that say that what was reported is gone. */
const GONE: ReadonlySet<string> = new Set([
  "post_not_found",
  "comment_not_found",
  "message_not_found",
  "topic_not_found",
  "user_not_found",
  "tag_not_found",
]);

/**
 * PATCH /api/desk/reports/{reportId}: closes the report and all other open ones of the same content, and with `act`
 * acts on the content in the same transaction. `decided` is the number of reports: 0 if someone else decided first, and
 * then nothing else happens either.
 * @throws Refusal operator_required, report_not_found, report_claimed, fresh_proof_required, act_not_possible
 */
export const decideDeskReport: Handler<typeof contract.desk.decide> = async (
  ctx,
  { reportId, action, reason, act },
) => {
  const { caller } = ctx;
  assertAllowed(deskAccess(caller.operator).review);
  const now = ctx.now();
  const prepared = act && (await prepare(ctx, { reportId, act, reason }));
  const { decided, acted } = await write(ctx, async (trx, effects) => {
    await prepared?.lock(trx);
    const { openIds, otherClaimant, ...target } = await lockCase(trx, ctx, reportId);
    if (openIds.length === 0) return { decided: 0, acted: null };
    if (otherClaimant) throw new Refusal("report_claimed");
    const done = prepared ? await unlessGone(prepared.run(trx, effects)) : null;
    await trx
      .updateTable("desk_reports")
      .set({
        status: action === "dismiss" ? "dismissed" : "resolved",
        decided_at: now,
        decided_by: caller.userId,
        decision: reason,
        claimed_by: null,
        claimed_at: null,
      })
      .where("id", "in", openIds)
      .execute();
    await logOperatorAct(trx, {
      actorId: caller.userId,
      role: caller.operator ?? "reviewer",
      action: action === "dismiss" ? "report_dismissed" : "report_resolved",
      targetKind: target.kind,
      targetId: target.target_id,
      topicId: target.topic_id,
      now,
      reason,
      details: { reports: String(openIds.length) },
    });
    return { decided: openIds.length, acted: done };
  });
  await acted?.after?.();
  return { success: true, decided, acted: acted?.changed ?? false };
};

/** What is gone needs no act. Its refusal comes before the act changed anything. */
async function unlessGone(act: Promise<Acted>): Promise<Acted> {
  try {
    return await act;
  } catch (error) {
    if (isRefusal(error) && GONE.has(error.code)) return { changed: false };
    throw error;
  }
}

interface Wanted {
  readonly reportId: string;
  readonly act: DeskAct;
  readonly reason: string;
}

/** Checks whether the caller may act so on the report, and reads what the act needs. */
async function prepare(ctx: MemberContext, { reportId, act, reason }: Wanted): Promise<Prepared> {
  const { caller, db } = ctx;
  const target = await db
    .selectFrom("desk_reports")
    .select(["kind", "target_id", "topic_id", "post_id"])
    .where("id", "=", reportId)
    .executeTakeFirst();
  if (!target) throw new Refusal("report_not_found");
  assertAllowed(mayActOn(target.kind, act, caller.operator));
  const about = { ...target, reason };
  const lock = (trx: Trx) => lockTarget(trx, target);
  switch (act) {
    case "hide":
      return { lock, run: (trx, effects) => hideTarget(trx, effects, ctx, about) };
    case "delete":
      return { lock, run: (trx, effects) => deleteTarget(trx, effects, ctx, about) };
    case "take_files_down":
      return await prepareTakeDown(ctx, reportId, reason);
    case "reset_nickname":
      return {
        lock,
        async run(trx, effects) {
          await resetNicknameWithin(trx, effects, ctx, { userId: target.target_id, reason });
          return { changed: true };
        },
      };
    case "remove_image":
      return {
        lock,
        async run(trx, effects) {
          const keys = await removeImageWithin(trx, effects, ctx, { userId: target.target_id, reason });
          return { changed: keys !== null, after: () => removeUploads(ctx, keys ?? []) };
        },
      };
    case "freeze":
      return {
        lock,
        run: async (trx, effects) => ({
          changed: await setFrozen(trx, effects, ctx, { topicId: target.target_id, frozen: true, reason }),
        }),
      };
    case "remove_tag":
      return { lock, run: (trx) => removeReportedTag(trx, ctx, about) };
  }
}

/** Locks what is reported as the act will, if it is still there. */
async function lockTarget(trx: Trx, { kind, target_id: id, topic_id, post_id }: Target): Promise<void> {
  switch (kind) {
    case "post":
    case "comment":
      await trx.selectFrom("posts").select("id").where("id", "=", post_id).forUpdate().execute();
      // Its log is written after the reports are locked, which those who withdraw reach from the topic.
      await trx.selectFrom("topics").select("id").where("id", "=", topic_id).forNoKeyUpdate().execute();
      return;
    case "message":
      await trx.selectFrom("topics").select("id").where("id", "=", topic_id).forNoKeyUpdate().execute();
      if (topic_id) await lockRoom(trx, topic_id);
      return;
    case "topic":
      await trx.selectFrom("topics").select("id").where("id", "=", id).forUpdate().execute();
      return;
    case "profile":
      await trx.selectFrom("users").select("id").where("id", "=", id).forNoKeyUpdate().execute();
      return;
    case "tag":
      await trx.selectFrom("tags").select("id").where("id", "=", id).forUpdate().execute();
  }
}

type About = Target & { readonly reason: string };

async function hideTarget(
  trx: Trx,
  effects: Effects,
  ctx: MemberContext,
  { kind, target_id: id, reason }: About,
): Promise<Acted> {
  const how = { hidden: true, reason, fromDesk: true };
  if (kind === "message") {
    return { changed: await setMessageHidden(trx, effects, ctx, { messageId: id, ...how }) };
  }
  if (kind !== "post" && kind !== "comment") throw new Refusal("act_not_possible");
  const { changed, pictures } = await setHidden(trx, effects, ctx, { kind, id, ...how });
  return { changed, after: () => moveWithheld(ctx, pictures) };
}

async function deleteTarget(
  trx: Trx,
  effects: Effects,
  ctx: MemberContext,
  { kind, target_id: id, reason }: About,
): Promise<Acted> {
  const how = { reason, fromDesk: true };
  switch (kind) {
    case "message":
      await deleteMessageWithin(trx, effects, ctx, { messageId: id, ...how });
      return { changed: true };
    case "comment":
      await deleteCommentWithin(trx, effects, ctx, { commentId: id, ...how });
      return { changed: true };
    case "post": {
      const { topicId, pictures } = await deletePostWithin(trx, effects, ctx, { postId: id, ...how });
      const after = async () => {
        await removeUploads(ctx, pictures);
        topicScoreLater(ctx, topicId);
      };
      return { changed: true, after };
    }
    default:
      throw new Refusal("act_not_possible");
  }
}

async function prepareTakeDown(ctx: MemberContext, reportId: string, reason: string): Promise<Prepared> {
  assertFreshProof(ctx);
  const { digests, about } = await reportedFiles(ctx, reportId);
  let locked: Awaited<ReturnType<typeof lockFiles>> | null = null;
  return {
    async lock(trx) {
      locked = digests.length > 0 ? await lockFiles(trx, digests) : null;
    },
    async run(trx, effects) {
      if (!locked) return { changed: false };
      const { files, keys } = await takeDownWithin(trx, effects, ctx, { digests, reason, about }, locked);
      return { changed: files + keys.length > 0, after: () => removeUploads(ctx, keys) };
    },
  };
}

/** A report names a tag by its id. */
async function removeReportedTag(
  trx: Trx,
  ctx: MemberContext,
  { target_id: id, reason }: About,
): Promise<Acted> {
  const tag = await trx.selectFrom("tags").select("slug").where("id", "=", id).executeTakeFirst();
  if (!tag) return { changed: false };
  await removeTagWithin(trx, ctx, { tag: tag.slug, reason });
  return { changed: true };
}
