import { randomUUID } from "node:crypto";
import type { contract, HandlerInput, ResponseBody } from "@/lib/contract";
import { topicAccess } from "@/lib/policy/topic";
import type { MemberContext, Trx } from "../context";
import { demand, refusal } from "../refusals";
import { postScore } from "../scores";
import { loadTopic } from "../topics/load";
import { topicScoreLater } from "../topics/score";
import { viewerOf } from "../viewer";
import { preparePostContent } from "./content";
import { loadPost } from "./load";
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
  demand(topicAccess(topic, viewerOf(caller, topic)).write);
  const content = preparePostContent(input.title, input.content);
  const tags = readTags(input.tags ?? []);
  const now = ctx.now();
  const id = randomUUID();
  await db.transaction().execute(async (trx) => {
    await countPost(trx, topic.id, now);
    await trx
      .insertInto("posts")
      .values({
        id,
        topic_id: topic.id,
        author_id: caller.userId,
        is_public: topic.visibility === "public",
        category_id: topic.category_id,
        title: input.title,
        content: content.html,
        summary: content.summary,
        media: JSON.stringify({ images: input.media?.images ?? [], videos: input.media?.videos ?? [] }),
        score: postScore(0, now),
        last_activity_at: now,
        created_at: now,
        updated_at: now,
      })
      .execute();
    await trx.insertInto("post_search").values({ post_id: id, text: content.search }).execute();
    await tagPost(trx, id, tags, now);
    if (input.poll) await insertPoll(trx, id, input.poll, now);
  });
  topicScoreLater(ctx, topic.id);
  return { post: postView(await loadPost(db, id, caller.userId), caller, now) };
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
  if (!counted) throw refusal("topic_not_found");
}

async function insertPoll(
  trx: Trx,
  postId: string,
  poll: NonNullable<Input["poll"]>,
  now: Date,
): Promise<void> {
  const id = randomUUID();
  await trx
    .insertInto("polls")
    .values({
      id,
      post_id: postId,
      question: poll.question ?? null,
      multiple_choice: poll.multipleChoice,
      closes_at: poll.closesAt ? new Date(poll.closesAt) : null,
      created_at: now,
    })
    .execute();
  await trx
    .insertInto("poll_options")
    .values(poll.options.map((text, position) => ({ poll_id: id, text, position })))
    .execute();
}
