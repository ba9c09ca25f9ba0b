import { randomUUID } from "node:crypto";
import type { Trx } from "@/db/schema";
import type { Handler, MemberContext } from "@/lib/context";
import type { contract, HandlerInput } from "@/lib/contract";
import { ballotRootOf } from "../anonymous/ballots";
import { announceLater } from "../notifications/announce";
import { authorizeTopic } from "../topics/load";
import { holdTopic } from "../topics/membership";
import { topicScoreLater } from "../topics/score";
import { assertUsage } from "../trust/accounts";
import { assertNotRepeated } from "../trust/repeated";
import { usageOfPost, wordsOfPost } from "../trust/texts";
import { assertTopicRules, isHeld } from "../trust/topic-rules";
import { moveWithheld } from "../uploads/of-post";
import { type Effects, write } from "../write";
import { mediaUploads, type PostContent, postMedia, withPostContent } from "./content";
import { insertPost } from "./insert";
import { loadPost } from "./load";
import { readTags } from "./tags";
import { postView } from "./view";

/** POST /api/topics/{topicId}/posts: writes post, tags and poll in one transaction. */
export const createPost: Handler<typeof contract.posts.create> = async (ctx, input) => {
  const { caller, db } = ctx;
  const postId = await writePost(ctx, input);
  return { post: postView(await loadPost(db, postId, caller.userId), caller, ctx.now()) };
};

/**
 * Writes a post of the caller.
 * @param automated whether a token for automation wrote it; by default, whether one asks for it
 * @param alongside runs first in the same transaction
 * @returns its id
 */
export async function writePost(
  ctx: MemberContext,
  input: HandlerInput<typeof contract.posts.create>,
  {
    automated = ctx.caller.automation !== null,
    alongside,
  }: { readonly automated?: boolean; readonly alongside?: (trx: Trx) => Promise<void> } = {},
): Promise<string> {
  const { caller, db } = ctx;
  const topic = await authorizeTopic(db, input.topicId, caller, "write");
  const tags = readTags(input.tags ?? []);
  const media = await postMedia(ctx, input.media);
  const now = ctx.now();
  const poll = input.poll && { ...input.poll, ballotRoot: await ballotRootOf(ctx, topic, input.poll) };
  const post = { id: randomUUID(), media, tags, title: input.title, poll, now };
  const insert = async (trx: Trx, effects: Effects, content: PostContent) => {
    await alongside?.(trx);
    // Again, while nobody can change the members: moving images takes time.
    await holdTopic(trx, topic.id);
    await authorizeTopic(trx, topic.id, caller, "write");
    const usage = usageOfPost(content.html, input.media);
    await assertUsage(trx, ctx, usage);
    const writer = { ...topic, topicId: topic.id };
    await assertTopicRules(trx, ctx, writer, usage);
    const words = wordsOfPost(input.title, content.html);
    const held = isHeld(writer, words);
    await assertNotRepeated(trx, ctx, { postId: post.id, commentId: null, words, usage });
    return await insertPost(trx, effects, {
      ...post,
      ...{ topic, authorId: caller.userId, content, held, automated },
      mediaUploads: mediaUploads(ctx, input.media),
    });
  };
  const withheld = await withPostContent(ctx, input, (content) =>
    write(ctx, (trx, effects) => insert(trx, effects, content)),
  );
  await moveWithheld(ctx, withheld);
  topicScoreLater(ctx, topic.id);
  announceLater(ctx);
  return post.id;
}
