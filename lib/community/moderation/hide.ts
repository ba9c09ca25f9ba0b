import type { contract, HandlerInput, ResponseBody } from "@/lib/contract";
import type { LogAction } from "@/lib/contract/moderation";
import type { MemberContext, Trx } from "../context";
import { demand } from "../refusals";
import { logStaffAct } from "./log";
import { lockCommentTarget, lockPostTarget, type Target } from "./targets";

type Body = Pick<HandlerInput<typeof contract.moderation.hidePost>, "hidden" | "reason">;
type Shown = ResponseBody<typeof contract.moderation.hidePost>;

/*
 * Hidden is not deleted: staff and author go on reading it, and the staff can show it again. So hidden posts and
 * comments stay in every count (posts of a topic, of a tag, comments of a post): counts say how many rows are not
 * deleted, and hiding changes none of them. Lists, feeds and searches leave hidden posts out; a hidden comment keeps its
 * place in its thread without its text. Reports stay open until somebody answers them. What is hidden already (or
 * shown) may be hidden again: nothing changes, and the log does not grow.
 */

/**
 * POST /api/posts/{postId}/hide: hides a post from everybody but staff and author, or shows it again.
 * @throws Refusal post_not_found, not_a_member, role_required
 */
export async function hidePost(
  ctx: MemberContext,
  { postId, ...body }: HandlerInput<typeof contract.moderation.hidePost>,
): Promise<Shown> {
  return await hide(ctx, body, {
    lock: (trx) => lockPostTarget(trx, postId, ctx),
    write: async (trx, mark) => {
      await trx.updateTable("posts").set(mark).where("id", "=", postId).execute();
    },
    actions: ["post_hidden", "post_shown"],
  });
}

/**
 * POST /api/comments/{commentId}/hide, as of a post.
 * @throws Refusal comment_not_found, not_a_member, role_required
 */
export async function hideComment(
  ctx: MemberContext,
  { commentId, ...body }: HandlerInput<typeof contract.moderation.hideComment>,
): Promise<Shown> {
  return await hide(ctx, body, {
    lock: (trx) => lockCommentTarget(trx, commentId, ctx),
    write: async (trx, mark) => {
      await trx.updateTable("comments").set(mark).where("id", "=", commentId).execute();
    },
    actions: ["comment_hidden", "comment_shown"],
  });
}

interface HiddenMark {
  readonly hidden_at: Date | null;
  readonly hidden_by: string | null;
}

interface Hideable {
  readonly lock: (trx: Trx) => Promise<Target>;
  readonly write: (trx: Trx, mark: HiddenMark) => Promise<void>;
  /** What the log calls hiding and showing it. */
  readonly actions: readonly [hide: LogAction, show: LogAction];
}

async function hide(
  ctx: MemberContext,
  { hidden, reason }: Body,
  { lock, write, actions }: Hideable,
): Promise<Shown> {
  const { caller, db } = ctx;
  const now = ctx.now();
  await db.transaction().execute(async (trx) => {
    const target = await lock(trx);
    demand(target.access.moderate);
    if (target.hidden === hidden) return;
    await write(
      trx,
      hidden ? { hidden_at: now, hidden_by: caller.userId } : { hidden_at: null, hidden_by: null },
    );
    await logStaffAct(trx, {
      topicId: target.topicId,
      actorId: caller.userId,
      subjectId: target.authorId,
      postId: target.postId,
      commentId: target.commentId,
      action: actions[hidden ? 0 : 1],
      reason,
      now,
    });
  });
  return { isHidden: hidden };
}
