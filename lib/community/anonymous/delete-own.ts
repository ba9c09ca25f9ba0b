import type { Db, Trx } from "@/db/schema";
import type { Context, Handler } from "@/lib/context";
import type { contract, HandlerInput } from "@/lib/contract";
import { ANONYMOUS_ID } from "@/lib/contract/anonymous-author";
import { isRefusal, Refusal } from "@/lib/errors";
import { type Deletion, deletionStatement, topicElement } from "@/lib/proofs/anonymous/act";
import { clearComment } from "../comments/change";
import { countComment, countPost } from "../counters";
import { clearPost } from "../posts/delete";
import { lockPost } from "../posts/load";
import { topicScoreLater } from "../topics/score";
import { removeUploads } from "../uploads/store";
import { type Effects, write } from "../write";
import { assertProven, unlinkedWords } from "./act";
import { knownTopic } from "./terms";

type Body = HandlerInput<typeof contract.anonymous.delete>;

/** POST /api/posts/{postId}/anonymous/deletions: whoever shows the number that the author has in the thread is the author. */
export const deleteOwnText: Handler<typeof contract.anonymous.delete> = async (ctx, input) => {
  const { db } = ctx;
  const { membership } = input;
  const written = await textAt(ctx, input);
  // Before the proof, which costs more.
  if (written.author !== membership.scopeNullifier)
    throw new Refusal("membership_invalid", { field: "membership.scopeNullifier" });
  await assertProven(ctx, membership.proof, await wordsOf(db, written, membership));
  const pictures = await write(ctx, (trx, effects) => clear(trx, effects, written, ctx.now()));
  await removeUploads(ctx, pictures);
  if (written.commentId === null) topicScoreLater(ctx, written.topicId);
  return { success: true };
};

/** @throws Refusal post_not_found, comment_not_found, not_anonymous */
async function textAt(
  ctx: Pick<Context, "anonymous" | "db">,
  { postId, commentId = null, key }: Body,
): Promise<Deletion & { readonly author: string }> {
  const post = await ctx.db
    .selectFrom("posts")
    .select(["id", "topic_id"])
    .where("id", "=", postId)
    .executeTakeFirst();
  if (!post) throw new Refusal("post_not_found");
  await knownTopic(ctx, post.topic_id, key).catch((error: unknown) => {
    throw isRefusal(error) ? new Refusal("post_not_found") : error;
  });
  if (commentId !== null) {
    const comment = await ctx.db
      .selectFrom("comments")
      .select("id")
      .where("id", "=", commentId)
      .where("post_id", "=", post.id)
      .executeTakeFirst();
    if (!comment) throw new Refusal("comment_not_found", { field: "commentId" });
  }
  const act = await ctx.db
    .selectFrom("anonymous_acts")
    .select(["comment_id", "scope_nullifier"])
    .where("post_id", "=", post.id)
    .where("comment_id", commentId === null ? "is" : "=", commentId)
    .executeTakeFirst();
  if (!act) throw new Refusal("not_anonymous");
  const { comment_id, scope_nullifier } = act;
  return { topicId: post.topic_id, postId: post.id, commentId: comment_id, author: scope_nullifier };
}

/** @throws Refusal root_not_found */
async function wordsOf(db: Db, deletion: Deletion, membership: Body["membership"]) {
  const { topicId } = deletion;
  const crowd = await db
    .selectFrom("crowd_roots")
    .select("root")
    .where("topic_id", "=", topicId)
    .where("number", "=", membership.root)
    .executeTakeFirst();
  if (!crowd) throw new Refusal("root_not_found", { field: "membership.root" });
  const place = { root: BigInt(crowd.root), topic: topicElement(topicId), bans: [] };
  return unlinkedWords({ ...place, ...deletionStatement(deletion) }, membership);
}

/** Deletes the text, unless it is gone. @returns keys of pictures for `removeUploads` */
async function clear(
  trx: Trx,
  { appended }: Effects,
  { topicId, postId, commentId }: Deletion,
  now: Date,
): Promise<readonly string[]> {
  const post = await lockPost(trx, postId, ANONYMOUS_ID);
  if (commentId === null) {
    if (post.deleted) return [];
    const pictures = await clearPost(trx, post, ANONYMOUS_ID, now);
    await countPost(trx, appended, topicId, { posts: -1, activeAt: null });
    return pictures;
  }
  const comment = await trx
    .selectFrom("comments")
    .select("deleted_at")
    .where("id", "=", commentId)
    .executeTakeFirst();
  if (!comment || comment.deleted_at !== null) return [];
  await clearComment(trx, { postId, commentId }, "author", now);
  await countComment(trx, appended, postId, { comments: -1, activeAt: null });
  return [];
}
