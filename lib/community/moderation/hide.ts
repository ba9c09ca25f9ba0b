import type { Trx } from "@/db/schema";
import type { Handler, MemberContext } from "@/lib/context";
import type { contract, HandlerInput, ResponseBody } from "@/lib/contract";
import { assertAllowed } from "@/lib/policy/decision";
import { mayShowAgain } from "@/lib/policy/desk";
import { isHiddenByOperators, logOperatorAct } from "../desk/log";
import { byOperators, notify } from "../notifications/notify";
import { showTags } from "../posts/tags";
import { markPicturesWithheld, moveWithheld } from "../uploads/of-post";
import { type Effects, write } from "../write";
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
 * @throws Refusal post_not_found, not_a_member, role_required, hidden_by_operators, own_case
 */
export const hidePost: Handler<typeof contract.moderation.hidePost> = async (ctx, { postId, ...body }) => {
  return await hide(ctx, { kind: "post", id: postId, ...body });
};

/**
 * POST /api/comments/{commentId}/hide: as for posts.
 * @throws Refusal comment_not_found, not_a_member, role_required, hidden_by_operators, own_case
 */
export const hideComment: Handler<typeof contract.moderation.hideComment> = async (
  ctx,
  { commentId, ...body },
) => {
  return await hide(ctx, { kind: "comment", id: commentId, ...body });
};

async function hide(ctx: MemberContext, wanted: Wanted): Promise<Shown> {
  const { pictures } = await write(ctx, (trx, effects) => setHidden(trx, effects, ctx, wanted));
  await moveWithheld(ctx, pictures);
  return { isHidden: wanted.hidden };
}

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
  /** Whether a review word hid it, of one that is hidden. Staff who hide it again decide that it stays hidden. */
  readonly isWaiting: (trx: Trx) => Promise<boolean>;
  /** The names of hiding and showing it in the logs and in the author's notification. */
  readonly actions: readonly [hide: HideAction, show: HideAction];
}

/** A post or comment, and whether it is to be hidden. */
interface Wanted extends Body {
  readonly kind: "post" | "comment";
  readonly id: string;
  /** Whether an operator decides a report, which counts as their act also where they are of the topic's staff. */
  readonly fromDesk?: boolean;
}

interface HiddenContent {
  readonly changed: boolean;
  /** Keys of pictures for `moveWithheld`, after the commit. */
  readonly pictures: readonly string[];
}

/**
 * Hides a post or comment or shows it again, logs that and tells the author: in the topic's log, and for an operator
 * in that of the installation too.
 * @throws Refusal post_not_found, comment_not_found, not_a_member, role_required, hidden_by_operators, own_case
 */
export async function setHidden(
  trx: Trx,
  effects: Effects,
  ctx: MemberContext,
  { kind, id, hidden, reason, fromDesk = false }: Wanted,
): Promise<HiddenContent> {
  const { caller } = ctx;
  const now = ctx.now();
  const { lock, mark, pictures, recount, isWaiting, actions } = hideables[kind](ctx, id, hidden);
  const target = await lock(trx);
  assertAllowed(target.access.hide);
  const isUnchanged = target.hidden === hidden;
  if (isUnchanged && !(hidden && (await isWaiting(trx)))) return { changed: false, pictures: [] };
  const hiddenByOperators = !hidden && (await isHiddenByOperators(trx, kind, id));
  const mine = target.authorId === caller.userId;
  if (!hidden) assertAllowed(mayShowAgain({ hiddenByOperators, mine }, caller.operator));
  await mark(
    trx,
    hidden ? { hidden_at: now, hidden_by: caller.userId } : { hidden_at: null, hidden_by: null },
  );
  const { topicId, postId, commentId, authorId } = target;
  const action = actions[hidden ? 0 : 1];
  const act = { topicId, actorId: caller.userId, now };
  await logStaffAct(trx, { ...act, subjectId: authorId, postId, commentId, action, reason });
  const keys = isUnchanged ? [] : ((await pictures?.(trx, target)) ?? []);
  if (!isUnchanged) await recount?.(trx, target);
  const asOperator = fromDesk || target.asOperator || hiddenByOperators;
  if (asOperator) {
    const about = { targetKind: kind, targetId: id } as const;
    await logOperatorAct(trx, { ...act, ...about, role: "operator", action, reason });
  }
  const details = byOperators(asOperator);
  await notify(trx, effects, act, [{ kind: action, to: [authorId], postId, commentId, reason, details }]);
  return { changed: true, pictures: keys };
}

const hideables: Readonly<
  Record<Wanted["kind"], (ctx: MemberContext, id: string, hidden: boolean) => Hideable>
> = {
  post: (ctx, postId, hidden) => ({
    lock: (trx) => lockPostTarget(trx, postId, ctx),
    mark: async (trx, mark) => {
      await trx.updateTable("posts").set(mark).where("id", "=", postId).execute();
    },
    pictures: (trx, { authorId }) => markPicturesWithheld(trx, { id: postId, author_id: authorId }, hidden),
    recount: (trx, { topicId }) => showTags(trx, { id: postId, topicId }, !hidden),
    isWaiting: async (trx) => {
      const row = await trx
        .selectFrom("posts")
        .select("hidden_by")
        .where("id", "=", postId)
        .executeTakeFirst();
      return row?.hidden_by === null;
    },
    actions: ["post_hidden", "post_shown"],
  }),
  comment: (ctx, commentId) => ({
    lock: (trx) => lockCommentTarget(trx, commentId, ctx),
    mark: async (trx, mark) => {
      await trx.updateTable("comments").set(mark).where("id", "=", commentId).execute();
    },
    isWaiting: async (trx) => {
      const row = await trx
        .selectFrom("comments")
        .select("hidden_by")
        .where("id", "=", commentId)
        .executeTakeFirst();
      return row?.hidden_by === null;
    },
    actions: ["comment_hidden", "comment_shown"],
  }),
};
