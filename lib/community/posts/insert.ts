import type { Trx } from "@/db/schema";
import { countPost } from "../counters";
import { namesInHtml } from "../mentions/find";
import { addMentions } from "../mentions/store";
import { announcement } from "../notifications/announce";
import { notify } from "../notifications/notify";
import { postScore } from "../scores";
import type { TopicRow } from "../topics/load";
import { heldNotifications, logHeld } from "../trust/topic-rules";
import { markPicturesWithheld } from "../uploads/of-post";
import { claimUploads } from "../uploads/used";
import type { Effects } from "../write";
import { type PostContent, postSearchText } from "./content";
import { insertPoll, type NewPoll } from "./poll";
import { type readTags, tagPost } from "./tags";

/** A post that may be written, by whoever. */
export interface NewPost {
  readonly id: string;
  readonly topic: Pick<TopicRow, "id" | "visibility" | "category_id">;
  readonly authorId: string;
  readonly title: string;
  readonly content: PostContent;
  /** JSON (`postMedia`), and the keys of the uploads in it. */
  readonly media: string;
  readonly mediaUploads: readonly string[];
  readonly tags: ReturnType<typeof readTags>;
  readonly poll?: NewPoll;
  /** Whether it waits for review. */
  readonly held: boolean;
  /** Whether a token for automation wrote it. */
  readonly automated?: boolean;
  readonly now: Date;
}

/**
 * Writes a post with its tags and poll, and whom it notifies. Call it in a transaction that holds the topic.
 * @returns the keys of pictures that wait with it, for `moveWithheld` after the commit
 */
export async function insertPost(trx: Trx, effects: Effects, written: NewPost): Promise<readonly string[]> {
  const { id, topic, authorId, title, content, held, now } = written;
  const isPublic = topic.visibility === "public";
  await trx
    .with("written", (db) =>
      db.insertInto("posts").values({
        id,
        topic_id: topic.id,
        author_id: authorId,
        is_public: isPublic,
        category_id: topic.category_id,
        title,
        content: content.html,
        summary: content.summary,
        media: written.media,
        score: postScore(0, now),
        last_activity_at: now,
        created_at: now,
        updated_at: now,
        hidden_at: held ? now : null,
        automated: written.automated,
      }),
    )
    .with("announced", (db) => announcement(db, { topicId: topic.id, postId: id, commentId: null, now }))
    .insertInto("post_search")
    .values({
      post_id: id,
      topic_id: topic.id,
      is_public: isPublic,
      created_at: now,
      text: postSearchText(title, content.html),
    })
    .execute();
  const heldText = { topicId: topic.id, authorId, postId: id, commentId: null };
  if (held) await logHeld(trx, heldText, now);
  await claimUploads(trx, content.uploads, "content");
  await claimUploads(trx, written.mediaUploads, "media.images");
  const withheld = held ? await markPicturesWithheld(trx, { id, author_id: authorId }, true) : [];
  await tagPost(trx, { id, topicId: topic.id, isPublic, shown: !held }, written.tags, now);
  if (written.poll) await insertPoll(trx, id, written.poll, now);
  const to = await addMentions(
    trx,
    { topicId: topic.id, postId: id, commentId: null },
    namesInHtml(content.html),
  );
  const act = { topicId: topic.id, actorId: authorId, now };
  if (held) {
    await notify(trx, effects, { ...act, actorId: null }, await heldNotifications(trx, heldText));
  } else await notify(trx, effects, act, [{ kind: "mention", to, postId: id }]);
  await countPost(trx, effects.appended, topic.id, { posts: 1, activeAt: now, postId: id });
  return withheld;
}
