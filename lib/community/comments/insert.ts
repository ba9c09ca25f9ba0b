import type { Trx } from "@/db/schema";
import { Refusal } from "@/lib/errors";
import { countComment, countPost } from "../counters";
import { namesInText } from "../mentions/find";
import { addMentions } from "../mentions/store";
import { announcement } from "../notifications/announce";
import { type NewNotification, notify } from "../notifications/notify";
import type { LockedPost } from "../posts/load";
import { searchText } from "../text-search";
import { heldNotifications, logHeld } from "../trust/topic-rules";
import { claimUploadsIn } from "../uploads/used";
import type { Effects } from "../write";

/** A comment that may be written, by whoever. */
export interface NewComment {
  readonly id: string;
  readonly post: Pick<LockedPost, "id" | "topic_id" | "author_id" | "visibility">;
  readonly parent: ParentComment | null;
  readonly authorId: string;
  /** Plain text, stored as written. */
  readonly content: string;
  /** Whether it waits for review. */
  readonly held: boolean;
  /** Whether a token for automation wrote it. */
  readonly automated?: boolean;
  readonly now: Date;
}

export interface ParentComment {
  readonly id: string;
  readonly author_id: string;
  readonly deleted_at: Date | null;
}

/** Writes a comment and whom it notifies. Call it in a transaction that holds the post. */
export async function insertComment(trx: Trx, effects: Effects, written: NewComment): Promise<void> {
  const { id, post, parent, authorId, content, held, now } = written;
  const postId = post.id;
  await trx
    .with("written", (db) =>
      db.insertInto("comments").values({
        id,
        post_id: postId,
        parent_id: parent?.id ?? null,
        author_id: authorId,
        content,
        created_at: now,
        updated_at: now,
        hidden_at: held ? now : null,
        automated: written.automated,
      }),
    )
    .with("announced", (db) => announcement(db, { topicId: post.topic_id, postId, commentId: id, now }))
    .insertInto("comment_search")
    .values({
      comment_id: id,
      topic_id: post.topic_id,
      is_public: post.visibility === "public",
      created_at: now,
      text: searchText(content),
    })
    .execute();
  const heldText = { topicId: post.topic_id, authorId, postId, commentId: id };
  if (held) await logHeld(trx, heldText, now);
  await claimUploadsIn(trx, content);
  const place = { topicId: post.topic_id, postId, commentId: id };
  const named = await addMentions(trx, place, namesInText(content));
  const act = { topicId: post.topic_id, actorId: authorId, now };
  if (held) {
    await notify(trx, effects, { ...act, actorId: null }, await heldNotifications(trx, heldText));
  } else await notify(trx, effects, act, notificationsOf(written, named));
  await countComment(trx, effects.appended, postId, { comments: 1, activeAt: now, commentId: id });
  await countPost(trx, effects.appended, post.topic_id, { posts: 0, activeAt: now });
  effects.publish({ kind: "thread", postId });
}

/** Returns whom a comment notifies. Replies to a comment come before replies to the post, and both before mentions. */
function notificationsOf({ id, post, parent }: NewComment, named: readonly string[]): NewNotification[] {
  const under = { postId: post.id, commentId: id };
  return [
    {
      kind: "reply",
      to: parent && !parent.deleted_at ? [parent.author_id] : [],
      details: { to: "comment" },
      ...under,
    },
    { kind: "reply", to: [post.author_id], details: { to: "post" }, ...under },
    { kind: "mention", to: named, ...under },
  ];
}

/** Returns the comment that another replies to. @throws Refusal comment_not_found unless it is under this post */
export async function parentOf(trx: Trx, postId: string, id: string): Promise<ParentComment> {
  const found = await trx
    .selectFrom("comments")
    .select(["id", "author_id", "deleted_at"])
    .where("id", "=", id)
    .where("post_id", "=", postId)
    .executeTakeFirst();
  if (!found) throw new Refusal("comment_not_found", { field: "parentId" });
  return found;
}
