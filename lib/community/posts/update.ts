import type { Trx } from "@/db/schema";
import type { Handler, MemberContext } from "@/lib/context";
import type { contract, HandlerInput } from "@/lib/contract";
import { Refusal } from "@/lib/errors";
import { actsAsOperator } from "@/lib/policy/decision";
import { logOperatorAct } from "../desk/log";
import { namesInHtml } from "../mentions/find";
import { replaceMentions } from "../mentions/store";
import { lockLog, logStaffAct } from "../moderation/log";
import { notify } from "../notifications/notify";
import { assertNotRecorded } from "../records/rules";
import { assertUsage } from "../trust/accounts";
import { assertNotRepeated } from "../trust/repeated";
import { usageOfPost, wordsOfPost } from "../trust/texts";
import { assertLinksAllowed, heldNotifications, isHeld, logHeld } from "../trust/topic-rules";
import { markPicturesEditedOut, markPicturesWithheld, moveWithheld, picturesOf } from "../uploads/of-post";
import { removeUploads } from "../uploads/store";
import { claimUploads, lockUploads } from "../uploads/used";
import { type Effects, write } from "../write";
import { mediaUploads, type PostContent, postMedia, postSearchText, withPostContent } from "./content";
import { authorizeLockedPost, authorizePost, type LockedPost, loadPost } from "./load";
import { changePoll, removePoll } from "./poll";
import { type NewTag, readTags, replaceTags, showTags } from "./tags";
import { postView } from "./view";

type Input = HandlerInput<typeof contract.posts.update>;

/** The validated changes of a PATCH. */
interface Change {
  readonly title?: string;
  readonly content?: PostContent;
  readonly tags?: readonly NewTag[];
  /** JSON for the row. */
  readonly media?: string;
  /** Keys of the uploads in `media`. */
  readonly uploads: readonly string[];
  readonly poll?: Input["poll"];
}

const FIELDS = ["title", "content", "tags", "media", "poll"] as const;

/**
 * PATCH /api/posts/{postId}: replaces the fields that are sent, all or none. Pictures that the author uploaded and this
 * removes are deleted, as with the post. A post that was recorded on-chain cannot change. A global admin's edit of
 * someone else's post is in the topic's log and in that of the installation.
 */
export const updatePost: Handler<typeof contract.posts.update> = async (ctx, input) => {
  const { caller, db } = ctx;
  const { postId } = input;
  const sent = FIELDS.filter((field) => input[field] !== undefined);
  if (sent.length === 0) throw new Refusal("nothing_to_change");
  // Checked before images are moved; the check inside the transaction decides.
  await assertNotRecorded(db, await authorizePost(db, postId, caller, "edit"));
  const change: Change = {
    title: input.title,
    tags: input.tags && readTags(input.tags),
    media: input.media && (await postMedia(ctx, input.media)),
    uploads: mediaUploads(ctx, input.media),
    poll: input.poll,
  };
  const writeAll = (content?: PostContent) =>
    write(ctx, async (trx, effects) => {
      const post = await authorizeLockedPost(trx, postId, caller, "edit");
      await assertNotRecorded(trx, post);
      const { gone, held, withheld } = await writeChange(trx, ctx, post, { ...change, content });
      if (!post.mine) {
        await logStaffAct(trx, {
          topicId: post.topic_id,
          actorId: caller.userId,
          action: "post_edited",
          now: ctx.now(),
          subjectId: post.author_id,
          postId,
          details: { fields: sent.join(", ") },
        });
      }
      if (held) await showTags(trx, taggedPost(post), false);
      const hidden = post.hidden || held;
      if (change.tags) await replaceTags(trx, taggedPost({ ...post, hidden }), change.tags, ctx.now());
      if (actsAsOperator(post)) {
        await logOperatorAct(trx, {
          actorId: caller.userId,
          role: "operator",
          action: "post_edited",
          targetKind: "post",
          targetId: postId,
          topicId: post.topic_id,
          now: ctx.now(),
          details: { fields: sent.join(", ") },
        });
      }
      if (content) await updateMentions(trx, effects, ctx, { ...post, hidden }, content);
      if (held) {
        const act = { topicId: post.topic_id, actorId: null, now: ctx.now() };
        await notify(trx, effects, act, await heldNotifications(trx, heldPost(post)));
      }
      return { gone, withheld };
    });
  const { gone, withheld } =
    input.content === undefined
      ? await writeAll()
      : await withPostContent(ctx, { content: input.content, format: input.format }, writeAll);
  // Before the response: someone who removes a picture relies on it being gone.
  await removeUploads(ctx, gone);
  await moveWithheld(ctx, withheld);
  return { post: postView(await loadPost(db, postId, caller.userId), caller, ctx.now()) };
};

/** Updates the mentions of a post, and notifies the newly mentioned unless the post is hidden from them. */
async function updateMentions(
  trx: Trx,
  effects: Effects,
  { caller, now }: MemberContext,
  post: LockedPost,
  { html }: PostContent,
): Promise<void> {
  const place = { topicId: post.topic_id, postId: post.id, commentId: null };
  const named = await replaceMentions(trx, place, namesInHtml(html));
  const to = post.hidden ? [] : named;
  const act = { topicId: post.topic_id, actorId: caller.userId, now: now() };
  await notify(trx, effects, act, [{ kind: "mention", to, postId: post.id }]);
}

/**
 * Writes everything but the tags, which are locked last.
 * @returns keys of the removed pictures, whether the post waits for review now, and then the keys of its own
 */
async function writeChange(trx: Trx, ctx: MemberContext, post: LockedPost, change: Change) {
  const now = ctx.now();
  const { title, content, media, uploads, poll } = change;
  // A text that will wait for review is logged, and the log locks the topic's row, which comes before pictures.
  if (post.mine && post.review_words.length > 0) await lockLog(trx, post.topic_id);
  if (post.mine && (title !== undefined || content)) await assertNew(trx, ctx, post, change);
  const before = content || media !== undefined ? await picturesOf(trx, post) : [];
  await lockUploads(trx, [...before, ...(content?.uploads ?? []), ...uploads]);
  const {
    title: newTitle,
    content: newHtml,
    media: newMedia,
  } = await trx
    .updateTable("posts")
    .set({
      updated_at: now,
      ...(ctx.caller.automation && { automated: true }),
      ...(title !== undefined && { title }),
      ...(content && { content: content.html, summary: content.summary }),
      ...(media !== undefined && { media }),
    })
    .where("id", "=", post.id)
    .returning(["title", "content", "media"])
    .executeTakeFirstOrThrow();
  const writer = { ...post, topicId: post.topic_id };
  if (post.mine && (content || media !== undefined)) {
    const usage = usageOfPost(newHtml, newMedia);
    await assertUsage(trx, ctx, usage);
    await assertLinksAllowed(trx, ctx, writer, usage);
  }
  const held = post.mine && !post.hidden && isHeld(writer, wordsOfPost(newTitle, newHtml));
  if (content) await claimUploads(trx, content.uploads, "content");
  await claimUploads(trx, uploads, "media.images");
  if (title !== undefined || content) {
    await trx
      .updateTable("post_search")
      .set({ text: postSearchText(newTitle, newHtml) })
      .where("post_id", "=", post.id)
      .execute();
  }
  if (poll === null) await removePoll(trx, post.id);
  else if (poll) await changePoll(trx, post.id, poll, now);
  const gone = await markPicturesEditedOut(trx, post, before, post.mine);
  if (!held) return { gone, held, withheld: [] };
  await logHeld(trx, heldPost(post), now);
  await trx.updateTable("posts").set({ hidden_at: now }).where("id", "=", post.id).execute();
  return { gone, held, withheld: await markPicturesWithheld(trx, post, true) };
}

/** Refuses an edit that repeats another text of its author. @throws Refusal duplicate_text */
async function assertNew(
  trx: Trx,
  ctx: MemberContext,
  { id }: LockedPost,
  { title, content }: Change,
): Promise<void> {
  const before = await trx
    .selectFrom("posts")
    .select(["title", "content"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  const html = content?.html ?? before.content;
  const words = wordsOfPost(title ?? before.title, html);
  await assertNotRepeated(trx, ctx, { postId: id, commentId: null, words, usage: usageOfPost(html) });
}

function heldPost({ id, topic_id, author_id }: LockedPost) {
  return { topicId: topic_id, authorId: author_id, postId: id, commentId: null };
}

/** Returns a locked post as `replaceTags` takes it. */
export function taggedPost(post: LockedPost) {
  return { id: post.id, topicId: post.topic_id, isPublic: post.visibility === "public", shown: !post.hidden };
}
