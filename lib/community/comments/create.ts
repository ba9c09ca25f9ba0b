import { randomUUID } from "node:crypto";
import type { Handler } from "@/lib/context";
import type { contract } from "@/lib/contract";
import { Refusal } from "@/lib/errors";
import { announceLater } from "../notifications/announce";
import { authorizeLockedPost } from "../posts/load";
import { topicScoreLater } from "../topics/score";
import { assertUsage } from "../trust/accounts";
import { assertNotRepeated } from "../trust/repeated";
import { usageOfText } from "../trust/texts";
import { assertTopicRules, isHeld } from "../trust/topic-rules";
import { viewerOf } from "../viewer";
import { write } from "../write";
import { insertComment, parentOf } from "./insert";
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
    const parent = parentId ? await parentOf(trx, postId, parentId) : null;
    const id = randomUUID();
    const usage = usageOfText(content);
    await assertUsage(trx, ctx, usage);
    const writer = { ...post, topicId: post.topic_id };
    await assertTopicRules(trx, ctx, writer, usage);
    const held = isHeld(writer, content);
    await assertNotRepeated(trx, ctx, { postId, commentId: id, words: content, usage });
    await insertComment(trx, effects, {
      ...{ id, post, parent, authorId: caller.userId, content, held, now },
      automated: caller.automation !== null,
    });
    const [created] = await loadComments(trx, [id], caller.userId);
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
