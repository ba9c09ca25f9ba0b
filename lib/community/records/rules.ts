import { sql } from "kysely";
import type { Db, Trx } from "@/db/schema";
import type { Caller } from "@/lib/context/caller";
import { Refusal } from "@/lib/errors";
import { postAccess } from "@/lib/policy/post";
import { minutesUntilRecordable, recordDay, recordRefusal } from "@/lib/policy/record";
import type { LockedPost } from "../posts/load";
import { assertMayWrite } from "../topics/membership-rules";
import { viewerOf } from "../viewer";

/** What is asked of a post before it is recorded. */
export type RecordablePost = Pick<
  LockedPost,
  "id" | "topic_id" | "visibility" | "role" | "muted" | "deleted" | "hidden" | "mine" | "created_at"
>;

/** What the caller did so far: this post, and today. */
export interface RecordStanding {
  /** A record of the post by the caller that did not fail. */
  readonly recorded: boolean;
  readonly today: number;
}

/** Reads how the caller stands; under the post's lock it is the truth. */
export async function recordStanding(
  db: Db | Trx,
  { postId, userId, now }: { readonly postId: string; readonly userId: string; readonly now: Date },
): Promise<RecordStanding> {
  const { recorded, today } = await db
    .selectNoFrom((eb) => [
      eb
        .exists(
          eb
            .selectFrom("records")
            .select("id")
            .where("post_id", "=", postId)
            .where("recorder_id", "=", userId)
            .where("status", "<>", "failed"),
        )
        .as("recorded"),
      eb
        .selectFrom("record_days")
        .select("count")
        .where("user_id", "=", userId)
        .where("day", "=", sql<never>`${recordDay(now)}::date`)
        .as("today"),
    ])
    .executeTakeFirstOrThrow();
  return { recorded: Boolean(recorded), today: today ?? 0 };
}

/**
 * Refuses what the rules do not let through: who may write under the post, that it is not one's own, its age, once per
 * person, three a day; in this order.
 * @throws Refusal
 */
export async function assertRecordable(
  db: Db | Trx,
  caller: Caller,
  { post, standing, now }: { post: RecordablePost; standing: RecordStanding; now: Date },
): Promise<void> {
  const { record } = postAccess(post, viewerOf(caller, post));
  if (record === "record_own_post") throw new Refusal("record_own_post");
  await assertMayWrite(db, record, { topicId: post.topic_id, userId: caller.userId });
  const refused = recordRefusal({ createdAt: post.created_at, now, ...standing });
  if (refused === "record_too_new") {
    const minutes = minutesUntilRecordable({ createdAt: post.created_at, now });
    throw new Refusal(refused, {
      retryAfter: minutes * 60,
      message: `You can record this post in ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`,
    });
  }
  if (refused) throw new Refusal(refused);
}

/** Whether somebody recorded the post, or is about to: then its text cannot change any more. */
export async function isRecorded(db: Db | Trx, postId: string): Promise<boolean> {
  const row = await db
    .selectFrom("records")
    .select("id")
    .where("post_id", "=", postId)
    .where("status", "<>", "failed")
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
