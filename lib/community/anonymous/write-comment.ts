import { randomUUID } from "node:crypto";
import type { Handler } from "@/lib/context";
import type { contract } from "@/lib/contract";
import { ANONYMOUS_ID } from "@/lib/contract/anonymous-author";
import { anonymousAccess } from "@/lib/policy/anonymous";
import { assertAllowed } from "@/lib/policy/decision";
import type { AnonymousAct } from "@/lib/proofs/anonymous/act";
import { insertComment, parentOf } from "../comments/insert";
import { announceLater } from "../notifications/announce";
import { topicScoreLater } from "../topics/score";
import { usageOfText } from "../trust/texts";
import { isHeld } from "../trust/topic-rules";
import { write } from "../write";
import { actOnce, assertStillHolds, insertAct } from "./act";
import { assertNoEarlyLinks } from "./links";
import { knownPost, shownPost } from "./place";
import { anonymousTopic } from "./terms";

/** POST /api/posts/{postId}/anonymous/comments: comment and proof are one transaction. */
export const writeAnonymousComment: Handler<typeof contract.anonymous.comment> = async (ctx, input) => {
  const { content, parentId = null, membership } = input;
  const { post: place, topic } = await knownPost(ctx, input.postId, input.key);
  assertAllowed(anonymousAccess(topic, "comment"));
  const act: AnonymousAct = {
    kind: "comment",
    topicId: topic.id,
    postId: place.id,
    parentId: parentId?.toLowerCase() ?? null,
    content,
  };
  const { commentId, anonymous } = await actOnce(ctx, act, membership, async (proven) => {
    const id = randomUUID();
    await write(ctx, async (trx, effects) => {
      const now = ctx.now();
      const post = await shownPost(trx, place.id, true);
      const current = await anonymousTopic(trx, topic.id);
      assertAllowed(anonymousAccess(current, "comment"));
      await assertStillHolds(trx, ctx, act, proven);
      assertNoEarlyLinks(current, usageOfText(content));
      await insertComment(trx, effects, {
        ...{ id, post, authorId: ANONYMOUS_ID, content, now },
        parent: parentId ? await parentOf(trx, post.id, parentId) : null,
        held: isHeld({ ...current, role: null }, content),
      });
      await insertAct(trx, proven, id);
    });
    topicScoreLater(ctx, topic.id);
    announceLater(ctx);
    return { commentId: id };
  });
  if (!commentId) throw new Error("the act was not a comment");
  return { commentId, anonymous };
};
