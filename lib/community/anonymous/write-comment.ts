import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Db, Trx } from "@/db/schema";
import type { Handler } from "@/lib/context";
import type { contract } from "@/lib/contract";
import { ANONYMOUS_ID } from "@/lib/contract/anonymous-author";
import { isRefusal, Refusal } from "@/lib/errors";
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
import { anonymousTopic, knownTopic } from "./terms";

/** POST /api/posts/{postId}/anonymous/comments: comment and proof are one transaction. */
export const writeAnonymousComment: Handler<typeof contract.anonymous.comment> = async (ctx, input) => {
  const { db } = ctx;
  const { content, parentId = null, membership } = input;
  const place = await postAt(db, input.postId);
  const topic = await knownTopic(ctx, place.topic_id, input.key).catch((error: unknown) => {
    // Whoever has no key learns no more of its posts than of the topic.
    throw isRefusal(error) ? new Refusal("post_not_found") : error;
  });
  assertShown(place);
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
      const post = await postAt(trx, place.id, true);
      assertShown(post);
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

interface PostRow {
  readonly id: string;
  readonly topic_id: string;
  readonly author_id: string;
  readonly visibility: "public" | "private" | "secret";
  readonly hidden: boolean;
}

/**
 * Loads the post that a comment is for, as nobody in particular. @param hold keeps it and its topic for this transaction
 * @throws Refusal post_not_found
 */
async function postAt(db: Db | Trx, id: string, hold = false): Promise<PostRow> {
  const { rows } = await sql<PostRow>`
    select p.id, p.topic_id, p.author_id, t.visibility, p.hidden_at is not null as hidden
    from posts p join topics t on t.id = p.topic_id
    where p.id = ${id} and p.deleted_at is null ${hold ? sql`for key share of p, t` : sql``}`.execute(db);
  const [post] = rows;
  if (!post) throw new Refusal("post_not_found");
  return post;
}

/** @throws Refusal post_hidden */
function assertShown({ hidden }: PostRow): void {
  if (hidden) throw new Refusal("post_hidden");
}
