import { randomUUID } from "node:crypto";
import type { contract, HandlerInput, ResponseBody } from "@/lib/contract";
import { postAccess } from "@/lib/policy/post";
import type { MemberContext, Trx } from "../context";
import { lockPost } from "../posts/load";
import { refusal } from "../refusals";
import { searchText } from "../text-search";
import { topicScoreLater } from "../topics/score";
import { demandMayWrite } from "../topics/standing";
import { viewerOf } from "../viewer";
import { commentView, loadComments } from "./load";

type Input = HandlerInput<typeof contract.comments.create>;

/** POST /api/posts/{postId}/comments: plain text, kept as written; whoever shows it treats it as text. */
export async function createComment(
  ctx: MemberContext,
  { postId, content, parentId }: Input,
): Promise<ResponseBody<typeof contract.comments.create>> {
  const { caller, db } = ctx;
  const now = ctx.now();
  const { topicId, comment } = await db.transaction().execute(async (trx) => {
    const post = await lockPost(trx, postId, caller.userId);
    const viewer = viewerOf(caller, post);
    await demandMayWrite(trx, postAccess(post, viewer).write, {
      topicId: post.topic_id,
      userId: caller.userId,
    });
    if (parentId) await demandComment(trx, postId, parentId);
    const id = randomUUID();
    await trx
      .insertInto("comments")
      .values({
        id,
        post_id: postId,
        parent_id: parentId ?? null,
        author_id: caller.userId,
        content,
        created_at: now,
        updated_at: now,
      })
      .execute();
    await trx
      .insertInto("comment_search")
      .values({ comment_id: id, created_at: now, text: searchText(content) })
      .execute();
    await countComment(trx, postId, post.topic_id, now);
    const [created] = await loadComments(trx, [id]);
    return {
      topicId: post.topic_id,
      comment: created && commentView(created, { post, viewer, callerId: caller.userId }),
    };
  });
  if (!comment) throw refusal("post_not_found");
  topicScoreLater(ctx, topicId);
  return { comment };
}

/** @throws Refusal comment_not_found unless it is a comment of this post */
async function demandComment(trx: Trx, postId: string, id: string): Promise<void> {
  const found = await trx
    .selectFrom("comments")
    .select("id")
    .where("id", "=", id)
    .where("post_id", "=", postId)
    .executeTakeFirst();
  if (!found) throw refusal("comment_not_found", { field: "parentId" });
}

/** Counts the comment and marks post and topic as active: first the post's row, then the topic's. */
async function countComment(trx: Trx, postId: string, topicId: string, now: Date): Promise<void> {
  await trx
    .updateTable("posts")
    .set((eb) => ({
      comment_count: eb("comment_count", "+", 1),
      last_activity_at: eb.fn<Date>("greatest", ["last_activity_at", eb.val(now)]),
    }))
    .where("id", "=", postId)
    .execute();
  await trx
    .updateTable("topics")
    .set((eb) => ({ last_activity_at: eb.fn<Date>("greatest", ["last_activity_at", eb.val(now)]) }))
    .where("id", "=", topicId)
    .execute();
}
