import { randomUUID } from "node:crypto";
import type { Trx } from "@/db/schema";
import type { MemberContext } from "@/lib/context";
import type { contract, HandlerInput, ResponseBody } from "@/lib/contract";
import { Refusal } from "@/lib/errors";
import { topicAccess } from "@/lib/policy/topic";
import { namesInHtml } from "../mentions/find";
import { addMentions } from "../mentions/write";
import { notify } from "../notifications/notify";
import { postScore } from "../scores";
import { loadTopic } from "../topics/load";
import { assertMayWrite } from "../topics/membership-rules";
import { topicScoreLater } from "../topics/score";
import { claimUploads } from "../uploads/used";
import { viewerOf } from "../viewer";
import { type Effects, write } from "../write";
import { mediaUploads, type PostContent, postMedia, postSearchText, withPostContent } from "./content";
import { loadPost } from "./load";
import { insertPoll } from "./poll";
import { readTags, tagPost } from "./tags";
import { postView } from "./view";

type Input = HandlerInput<typeof contract.posts.create>;

/** POST /api/topics/{topicId}/posts: post, tags and poll are one transaction. */
export async function createPost(
  ctx: MemberContext,
  input: Input,
): Promise<ResponseBody<typeof contract.posts.create>> {
  const { caller, db } = ctx;
  const topic = await loadTopic(db, input.topicId, caller.userId);
  const where = { topicId: topic.id, userId: caller.userId };
  await assertMayWrite(db, topicAccess(topic, viewerOf(caller, topic)).write, where);
  const tags = readTags(input.tags ?? []);
  const media = await postMedia(ctx, input.media);
  const now = ctx.now();
  const post = { id: randomUUID(), topicId: topic.id, isPublic: topic.visibility === "public", shown: true };
  const insert = async (trx: Trx, effects: Effects, { html, summary, uploads }: PostContent) => {
    await countPost(trx, topic.id, now);
    // Images take their time: asked again under the topic's row, which removals and bans take as well.
    const held = await loadTopic(trx, topic.id, caller.userId);
    await assertMayWrite(trx, topicAccess(held, viewerOf(caller, held)).write, where);
    await trx
      .insertInto("posts")
      .values({
        id: post.id,
        topic_id: topic.id,
        author_id: caller.userId,
        is_public: post.isPublic,
        category_id: topic.category_id,
        title: input.title,
        content: html,
        summary,
        media,
        score: postScore(0, now),
        last_activity_at: now,
        created_at: now,
        updated_at: now,
      })
      .execute();
    await trx
      .insertInto("post_search")
      .values({
        post_id: post.id,
        topic_id: topic.id,
        is_public: post.isPublic,
        created_at: now,
        text: postSearchText(input.title, html),
      })
      .execute();
    await claimUploads(trx, uploads, "content");
    await claimUploads(trx, mediaUploads(ctx, input.media), "media.images");
    await tagPost(trx, post, tags, now);
    if (input.poll) await insertPoll(trx, post.id, input.poll, now);
    const place = { topicId: topic.id, postId: post.id, commentId: null };
    const to = await addMentions(trx, place, namesInHtml(html));
    const act = { topicId: topic.id, actorId: caller.userId, now };
    await notify(trx, effects, act, [{ kind: "mention", to, postId: post.id }]);
  };
  await withPostContent(ctx, input.content, (content) =>
    write(ctx, (trx, effects) => insert(trx, effects, content)),
  );
  topicScoreLater(ctx, topic.id);
  return { post: postView(await loadPost(db, post.id, caller.userId), caller, now) };
}

/**
 * Counts the post in its topic. First in the transaction, so that a topic that is gone is noticed.
 * Row locks are taken in the order posts, topics, tags everywhere; the new post itself is nobody else's yet.
 */
async function countPost(trx: Trx, topicId: string, now: Date): Promise<void> {
  const counted = await trx
    .updateTable("topics")
    .set((eb) => ({
      post_count: eb("post_count", "+", 1),
      last_activity_at: eb.fn<Date>("greatest", ["last_activity_at", eb.val(now)]),
    }))
    .where("id", "=", topicId)
    .returning("id")
    .executeTakeFirst();
  if (!counted) throw new Refusal("topic_not_found");
}
