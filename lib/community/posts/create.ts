import { randomUUID } from "node:crypto";
import type { Trx } from "@/db/schema";
import type { Handler, MemberContext } from "@/lib/context";
import type { contract, HandlerInput } from "@/lib/contract";
import { countPost } from "../counters";
import { namesInHtml } from "../mentions/find";
import { addMentions } from "../mentions/store";
import { announceLater, announcement } from "../notifications/announce";
import { notify } from "../notifications/notify";
import { postScore } from "../scores";
import { authorizeTopic } from "../topics/load";
import { holdTopic } from "../topics/membership";
import { topicScoreLater } from "../topics/score";
import { assertUsage } from "../trust/accounts";
import { assertNotRepeated } from "../trust/repeated";
import { usageOfPost, wordsOfPost } from "../trust/texts";
import { assertTopicRules, heldNotifications, isHeld, logHeld } from "../trust/topic-rules";
import { markPicturesWithheld, moveWithheld } from "../uploads/of-post";
import { claimUploads } from "../uploads/used";
import { type Effects, write } from "../write";
import { mediaUploads, type PostContent, postMedia, postSearchText, withPostContent } from "./content";
import { loadPost } from "./load";
import { insertPoll } from "./poll";
import { readTags, tagPost } from "./tags";
import { postView } from "./view";

/** POST /api/topics/{topicId}/posts: writes post, tags and poll in one transaction. */
export const createPost: Handler<typeof contract.posts.create> = async (ctx, input) => {
  const { caller, db } = ctx;
  const postId = await writePost(ctx, input);
  return { post: postView(await loadPost(db, postId, caller.userId), caller, ctx.now()) };
};

/**
 * Writes a post of the caller.
 * @param alongside runs first in the same transaction
 * @returns its id
 */
export async function writePost(
  ctx: MemberContext,
  input: HandlerInput<typeof contract.posts.create>,
  alongside: (trx: Trx) => Promise<void> = async () => undefined,
): Promise<string> {
  const { caller, db } = ctx;
  const topic = await authorizeTopic(db, input.topicId, caller, "write");
  const tags = readTags(input.tags ?? []);
  const media = await postMedia(ctx, input.media);
  const now = ctx.now();
  const post = { id: randomUUID(), topicId: topic.id, isPublic: topic.visibility === "public" };
  const insert = async (trx: Trx, effects: Effects, { html, summary, uploads }: PostContent) => {
    await alongside(trx);
    // Again, while nobody can change the members: moving images takes time.
    await holdTopic(trx, topic.id);
    await authorizeTopic(trx, topic.id, caller, "write");
    const usage = usageOfPost(html, input.media);
    await assertUsage(trx, ctx, usage);
    const writer = { ...topic, topicId: topic.id };
    await assertTopicRules(trx, ctx, writer, usage);
    const words = wordsOfPost(input.title, html);
    const held = isHeld(writer, words);
    await assertNotRepeated(trx, ctx, { postId: post.id, commentId: null, words, usage });
    await trx
      .with("written", (db) =>
        db.insertInto("posts").values({
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
          hidden_at: held ? now : null,
        }),
      )
      .with("announced", (db) =>
        announcement(db, { topicId: topic.id, postId: post.id, commentId: null, now }),
      )
      .insertInto("post_search")
      .values({
        post_id: post.id,
        topic_id: topic.id,
        is_public: post.isPublic,
        created_at: now,
        text: postSearchText(input.title, html),
      })
      .execute();
    const heldText = { topicId: topic.id, authorId: caller.userId, postId: post.id, commentId: null };
    if (held) await logHeld(trx, heldText, now);
    await claimUploads(trx, uploads, "content");
    await claimUploads(trx, mediaUploads(ctx, input.media), "media.images");
    const author = { id: post.id, author_id: caller.userId };
    const withheld = held ? await markPicturesWithheld(trx, author, true) : [];
    await tagPost(trx, { ...post, shown: !held }, tags, now);
    if (input.poll) await insertPoll(trx, post.id, input.poll, now);
    const place = { topicId: topic.id, postId: post.id, commentId: null };
    const to = await addMentions(trx, place, namesInHtml(html));
    const act = { topicId: topic.id, actorId: caller.userId, now };
    if (held) {
      await notify(trx, effects, { ...act, actorId: null }, await heldNotifications(trx, heldText));
    } else await notify(trx, effects, act, [{ kind: "mention", to, postId: post.id }]);
    await countPost(trx, effects.appended, topic.id, { posts: 1, activeAt: now, postId: post.id });
    return withheld;
  };
  const withheld = await withPostContent(ctx, input.content, (content) =>
    write(ctx, (trx, effects) => insert(trx, effects, content)),
  );
  await moveWithheld(ctx, withheld);
  topicScoreLater(ctx, topic.id);
  announceLater(ctx);
  return post.id;
}
