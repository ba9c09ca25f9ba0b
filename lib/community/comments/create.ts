import { randomUUID } from "node:crypto";
import type { Trx } from "@/db/schema";
import type { Handler } from "@/lib/context";
import type { contract } from "@/lib/contract";
import { Refusal } from "@/lib/errors";
import { countComment, countPost } from "../counters";
import { namesInText } from "../mentions/find";
import { addMentions } from "../mentions/store";
import { announceLater, announcement } from "../notifications/announce";
import { type NewNotification, notify } from "../notifications/notify";
import { authorizeLockedPost, type LockedPost } from "../posts/load";
import { searchText } from "../text-search";
import { topicScoreLater } from "../topics/score";
import { assertUsage } from "../trust/accounts";
import { assertNotRepeated } from "../trust/repeated";
import { usageOfText } from "../trust/texts";
import { assertTopicRules, heldNotifications, isHeld, logHeld } from "../trust/topic-rules";
import { claimUploadsIn } from "../uploads/used";
import { viewerOf } from "../viewer";
import { write } from "../write";
import { commentView, loadComments } from "./load";

/** POST /api/posts/{postId}/comments: plain text, stored as written. Clients must show it as text. */
export const createComment: Handler<typeof contract.comments.create> = async (
  ctx,
  { postId, content, parentId },
) => {
  const { caller } = ctx;
  const now = ctx.now();
  const { topicId, comment } = await write(ctx, async (trx, effects) => {
    const post = await authorizeLockedPost(trx, postId, caller, "write", "hold");
    const parent = parentId ? await assertComment(trx, postId, parentId) : null;
    const id = randomUUID();
    const usage = usageOfText(content);
    await assertUsage(trx, ctx, usage);
    const writer = { ...post, topicId: post.topic_id };
    await assertTopicRules(trx, ctx, writer, usage);
    const held = isHeld(writer, content);
    await assertNotRepeated(trx, ctx, { postId, commentId: id, words: content, usage });
    await trx
      .with("written", (db) =>
        db.insertInto("comments").values({
          id,
          post_id: postId,
          parent_id: parentId ?? null,
          author_id: caller.userId,
          content,
          created_at: now,
          updated_at: now,
          hidden_at: held ? now : null,
        }),
      )
      .with("announced", (db) => announcement(db, { topicId: post.topic_id, postId, commentId: id, now }))
      .insertInto("comment_search")
      .values({
        comment_id: id,
        topic_id: post.topic_id,
        is_public: post.visibility === "public",
        created_at: now,
        text: searchText(content),
      })
      .execute();
    const heldText = { topicId: post.topic_id, authorId: caller.userId, postId, commentId: id };
    if (held) await logHeld(trx, heldText, now);
    await claimUploadsIn(trx, content);
    const place = { topicId: post.topic_id, postId, commentId: id };
    const named = await addMentions(trx, place, namesInText(content));
    const [created] = await loadComments(trx, [id], caller.userId);
    const act = { topicId: post.topic_id, actorId: caller.userId, now };
    if (held) {
      await notify(trx, effects, { ...act, actorId: null }, await heldNotifications(trx, heldText));
    } else await notify(trx, effects, act, notificationsOf(id, post, parent, named));
    await countComment(trx, effects.appended, postId, { comments: 1, activeAt: now, commentId: id });
    await countPost(trx, effects.appended, post.topic_id, { posts: 0, activeAt: now });
    effects.publish({ kind: "thread", postId });
    return {
      topicId: post.topic_id,
      comment:
        created && commentView(created, { post, viewer: viewerOf(caller, post), callerId: caller.userId }),
    };
  });
  if (!comment) throw new Refusal("post_not_found");
  topicScoreLater(ctx, topicId);
  announceLater(ctx);
  return { comment };
};

/** Returns whom a comment notifies. Replies to a comment come before replies to the post, and both before mentions. */
function notificationsOf(
  commentId: string,
  post: LockedPost,
  parent: ParentComment | null,
  named: readonly string[],
): NewNotification[] {
  const under = { postId: post.id, commentId };
  return [
    {
      kind: "reply",
      to: parent && !parent.deleted_at ? [parent.author_id] : [],
      details: { to: "comment" },
      ...under,
    },
    { kind: "reply", to: [post.author_id], details: { to: "post" }, ...under },
    { kind: "mention", to: named, ...under },
  ];
}

interface ParentComment {
  readonly author_id: string;
  readonly deleted_at: Date | null;
}

/** @throws Refusal comment_not_found unless the comment is under this post */
async function assertComment(trx: Trx, postId: string, id: string): Promise<ParentComment> {
  const found = await trx
    .selectFrom("comments")
    .select(["author_id", "deleted_at"])
    .where("id", "=", id)
    .where("post_id", "=", postId)
    .executeTakeFirst();
  if (!found) throw new Refusal("comment_not_found", { field: "parentId" });
  return found;
}
