import type { Trx } from "@/db/schema";
import type { Handler, MemberContext } from "@/lib/context";
import type { contract, HandlerInput, ResponseBody } from "@/lib/contract";
import { assertAllowed } from "@/lib/policy/decision";
import { notify } from "../notifications/notify";
import { showTags } from "../posts/tags";
import { markPicturesWithheld, moveWithheld } from "../uploads/of-post";
import { write } from "../write";
import { logStaffAct } from "./log";
import { lockCommentTarget, lockPostTarget, type Target } from "./targets";

type Body = Pick<HandlerInput<typeof contract.moderation.hidePost>, "hidden" | "reason">;
type Shown = ResponseBody<typeof contract.moderation.hidePost>;

/*
 * Hidden is not deleted: staff and author can still read it, and staff can show it again. So hidden posts and comments
 * stay in the counts of their topic and post. Tags count and show visible posts only, since a tag itself may be the
 * reason for hiding. Lists, feeds and searches leave hidden posts out; a hidden comment keeps its place in the thread
 * without its text. Nobody can reach the pictures that the author uploaded for a hidden post. Reports stay open until
 * staff decide them. Hiding a hidden post, or showing a visible one, changes and logs nothing.
 */

/**
 * POST /api/posts/{postId}/hide: hides a post from everyone but staff and its author, or shows it again.
 * @throws Refusal post_not_found, not_a_member, role_required
 */
export const hidePost: Handler<typeof contract.moderation.hidePost> = async (ctx, { postId, ...body }) => {
  return await hide(ctx, body, {
    lock: (trx) => lockPostTarget(trx, postId, ctx),
    mark: async (trx, mark) => {
      await trx.updateTable("posts").set(mark).where("id", "=", postId).execute();
    },
    pictures: (trx, { authorId }) =>
      markPicturesWithheld(trx, { id: postId, author_id: authorId }, body.hidden),
    recount: (trx, { topicId }) => showTags(trx, { id: postId, topicId }, !body.hidden),
    actions: ["post_hidden", "post_shown"],
  });
};

/**
 * POST /api/comments/{commentId}/hide: as for posts.
 * @throws Refusal comment_not_found, not_a_member, role_required
 */
export const hideComment: Handler<typeof contract.moderation.hideComment> = async (
  ctx,
  { commentId, ...body },
) => {
  return await hide(ctx, body, {
    lock: (trx) => lockCommentTarget(trx, commentId, ctx),
    mark: async (trx, mark) => {
      await trx.updateTable("comments").set(mark).where("id", "=", commentId).execute();
    },
    actions: ["comment_hidden", "comment_shown"],
  });
};

interface HiddenMark {
  readonly hidden_at: Date | null;
  readonly hidden_by: string | null;
}

type HideAction = "post_hidden" | "post_shown" | "comment_hidden" | "comment_shown";

interface Hideable {
  readonly lock: (trx: Trx) => Promise<Target>;
  readonly mark: (trx: Trx, mark: HiddenMark) => Promise<void>;
  /** Withholds its pictures, or restores them. @returns their keys */
  readonly pictures?: (trx: Trx, target: Target) => Promise<string[]>;
  /** Counts its tags again. Runs last, since tags are locked after topics. */
  readonly recount?: (trx: Trx, target: Target) => Promise<void>;
  /** The names of hiding and showing it in the log and in the author's notification. */
  readonly actions: readonly [hide: HideAction, show: HideAction];
}

async function hide(
  ctx: MemberContext,
  { hidden, reason }: Body,
  { lock, mark, pictures, recount, actions }: Hideable,
): Promise<Shown> {
  const { caller } = ctx;
  const now = ctx.now();
  const moving = await write(ctx, async (trx, effects) => {
    const target = await lock(trx);
    assertAllowed(target.access.hide);
    if (target.hidden === hidden) return [];
    await mark(
      trx,
      hidden ? { hidden_at: now, hidden_by: caller.userId } : { hidden_at: null, hidden_by: null },
    );
    const { topicId, postId, commentId, authorId } = target;
    const action = actions[hidden ? 0 : 1];
    const act = { topicId, actorId: caller.userId, now };
    await logStaffAct(trx, { ...act, subjectId: authorId, postId, commentId, action, reason });
    const keys = (await pictures?.(trx, target)) ?? [];
    await recount?.(trx, target);
    await notify(trx, effects, act, [{ kind: action, to: [authorId], postId, commentId, reason }]);
    return keys;
  });
  await moveWithheld(ctx, moving);
  return { isHidden: hidden };
}
