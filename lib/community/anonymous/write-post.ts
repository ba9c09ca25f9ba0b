import { sql } from "kysely";
import type { Trx } from "@/db/schema";
import type { Handler } from "@/lib/context";
import type { contract } from "@/lib/contract";
import { ANONYMOUS_ID } from "@/lib/contract/anonymous-author";
import { Refusal } from "@/lib/errors";
import { anonymousAccess } from "@/lib/policy/anonymous";
import { assertAllowed } from "@/lib/policy/decision";
import type { AnonymousAct } from "@/lib/proofs/anonymous/act";
import { announceLater } from "../notifications/announce";
import { prepareExactContent } from "../posts/content";
import { insertPost } from "../posts/insert";
import { readTags } from "../posts/tags";
import { holdTopic } from "../topics/membership";
import { topicScoreLater } from "../topics/score";
import { usageOfPost, wordsOfPost } from "../trust/texts";
import { isHeld } from "../trust/topic-rules";
import { moveWithheld } from "../uploads/of-post";
import { write } from "../write";
import { actOnce, assertStillHolds, insertAct } from "./act";
import { assertNoEarlyLinks } from "./links";
import { anonymousTopic, knownTopic } from "./terms";

const NO_MEDIA = JSON.stringify({ images: [], videos: [] });

/** Refuses an id that a post has, and makes others wait who want it. @throws Refusal id_taken */
async function assertFree(trx: Trx, postId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`anonymous post ${postId}`}, 0))`.execute(trx);
  const known = await trx.selectFrom("posts").select("id").where("id", "=", postId).executeTakeFirst();
  if (known) throw new Refusal("id_taken", { field: "id" });
}

/** POST /api/topics/{topicId}/anonymous/posts: post and proof are one transaction. */
export const writeAnonymousPost: Handler<typeof contract.anonymous.post> = async (ctx, input) => {
  const { title, membership } = input;
  const postId = input.id.toLowerCase();
  const topic = await knownTopic(ctx, input.topicId, input.key);
  assertAllowed(anonymousAccess(topic, "post"));
  const content = await prepareExactContent(ctx, input.content, ANONYMOUS_ID);
  const tags = readTags(input.tags);
  const act: AnonymousAct = {
    kind: "post",
    topicId: topic.id,
    postId,
    title,
    content: content.html,
    tags: tags.map(({ name }) => name),
  };
  const { anonymous } = await actOnce(ctx, act, membership, async (proven) => {
    const withheld = await write(ctx, async (trx, effects) => {
      const now = ctx.now();
      await holdTopic(trx, topic.id);
      const current = await anonymousTopic(trx, topic.id);
      assertAllowed(anonymousAccess(current, "post"));
      await assertStillHolds(trx, ctx, act, proven);
      assertNoEarlyLinks(current, usageOfPost(content.html));
      await assertFree(trx, postId);
      const waiting = await insertPost(trx, effects, {
        ...{ id: postId, topic: current, authorId: ANONYMOUS_ID, title, content, tags, now },
        ...{ media: NO_MEDIA, mediaUploads: [] },
        held: isHeld({ ...current, role: null }, wordsOfPost(title, content.html)),
      });
      await insertAct(trx, proven, null);
      return waiting;
    });
    await moveWithheld(ctx, withheld);
    topicScoreLater(ctx, topic.id);
    announceLater(ctx);
    return { commentId: null };
  });
  return { postId, anonymous };
};
