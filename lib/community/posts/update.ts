import type { Db, Trx } from "@/db/schema";
import type { MemberContext } from "@/lib/context";
import type { Caller } from "@/lib/context/caller";
import type { contract, HandlerInput, ResponseBody } from "@/lib/contract";
import { Refusal } from "@/lib/errors";
import { postAccess } from "@/lib/policy/post";
import { namesInHtml } from "../mentions/find";
import { replaceMentions } from "../mentions/write";
import { logStaffAct } from "../moderation/log";
import { notify } from "../notifications/notify";
import { isRecorded } from "../records/rules";
import { assertMayWrite } from "../topics/membership-rules";
import { markPicturesEditedOut, picturesOf } from "../uploads/of-post";
import { removeUploads } from "../uploads/store";
import { claimUploads, lockUploads } from "../uploads/used";
import { viewerOf } from "../viewer";
import { type Effects, write } from "../write";
import { mediaUploads, type PostContent, postMedia, postSearchText, withPostContent } from "./content";
import { type LockedPost, loadPost, lockPost } from "./load";
import { changePoll, removePoll } from "./poll";
import { type NewTag, readTags, replaceTags } from "./tags";
import { postView } from "./view";

type Input = HandlerInput<typeof contract.posts.update>;

/** What a PATCH changes, read and checked. */
interface Change {
  readonly title?: string;
  readonly content?: PostContent;
  readonly tags?: readonly NewTag[];
  /** JSON, as the row keeps it. */
  readonly media?: string;
  /** Keys of the uploads among them. */
  readonly uploads: readonly string[];
  readonly poll?: Input["poll"];
}

const fields = ["title", "content", "tags", "media", "poll"] as const;

/**
 * PATCH /api/posts/{postId}: fields that are sent replace those of the post, all of them or none. A picture that its
 * author uploaded and that is taken out goes as with a deleted post. A post that was recorded on-chain stays as it is.
 * A global admin's edit of somebody else's post is logged with the topic's.
 */
export async function updatePost(
  ctx: MemberContext,
  input: Input,
): Promise<ResponseBody<typeof contract.posts.update>> {
  const { caller, db } = ctx;
  const { postId } = input;
  const sent = fields.filter((field) => input[field] !== undefined);
  if (sent.length === 0) throw new Refusal("nothing_to_change");
  // Before images are moved for somebody who may not edit; what counts is the same question inside the transaction.
  await assertEditable(db, caller, await loadPost(db, postId, caller.userId));
  const change: Change = {
    title: input.title,
    tags: input.tags && readTags(input.tags),
    media: input.media && (await postMedia(ctx, input.media)),
    uploads: mediaUploads(ctx, input.media),
    poll: input.poll,
  };
  const writeAll = (content?: PostContent) =>
    write(ctx, async (trx, effects) => {
      const post = await lockPost(trx, postId, caller.userId);
      await assertEditable(trx, caller, post);
      const gone = await writeChange(trx, post, { ...change, content }, ctx.now());
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
      if (change.tags) await replaceTags(trx, taggedPost(post), change.tags, ctx.now());
      if (content) await nameAnew(trx, effects, ctx, post, content);
      return gone;
    });
  const gone =
    input.content === undefined ? await writeAll() : await withPostContent(ctx, input.content, writeAll);
  // Before it is answered: whoever takes a picture out relies on it.
  await removeUploads(ctx, gone);
  return { post: postView(await loadPost(db, postId, caller.userId), caller, ctx.now()) };
}

/** Mentions follow the text; people who were not named before are told, unless they may not read it now. */
async function nameAnew(
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

async function assertEditable(
  db: Db | Trx,
  caller: Caller,
  post: Omit<LockedPost, "upvote_count" | "created_at">,
): Promise<void> {
  const where = { topicId: post.topic_id, userId: caller.userId };
  await assertMayWrite(db, postAccess(post, viewerOf(caller, post)).edit, where);
  // One that is about to be recorded neither: its hash is on its way.
  if (post.record_count > 0 || (await isRecorded(db, post.id))) throw new Refusal("post_recorded");
}

/**
 * Everything but the tags, whose rows are locked last.
 * @returns keys of the pictures that are gone with it
 */
async function writeChange(trx: Trx, post: LockedPost, change: Change, now: Date): Promise<string[]> {
  const { title, content, media, uploads, poll } = change;
  const before = content || media !== undefined ? await picturesOf(trx, post) : [];
  await lockUploads(trx, [...before, ...(content?.uploads ?? []), ...uploads]);
  const { title: newTitle, content: newHtml } = await trx
    .updateTable("posts")
    .set({
      updated_at: now,
      ...(title !== undefined && { title }),
      ...(content && { content: content.html, summary: content.summary }),
      ...(media !== undefined && { media }),
    })
    .where("id", "=", post.id)
    .returning(["title", "content"])
    .executeTakeFirstOrThrow();
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
  return await markPicturesEditedOut(trx, post, before, post.mine);
}

/** A locked post as its tags count it. */
export function taggedPost(post: LockedPost) {
  return { id: post.id, topicId: post.topic_id, isPublic: post.visibility === "public", shown: !post.hidden };
}
