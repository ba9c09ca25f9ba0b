import { sql } from "kysely";
import type { Db, Trx } from "@/db/schema";
import type { Caller } from "@/lib/context";
import { Refusal } from "@/lib/errors";
import { postAccess } from "@/lib/policy/post";
import { minutesUntilRecordable, recordDay, recordRefusal } from "@/lib/policy/record";
import type { LockedPost } from "../posts/load";
import { assertAllowedIn } from "../topics/membership-rules";
import { carriedToday } from "../trust/days";
import { viewerOf } from "../viewer";

/** What the rules need to know of a post before it is recorded. */
export type RecordablePost = Pick<
  LockedPost,
  | "id"
  | "topic_id"
  | "visibility"
  | "role"
  | "muted"
  | "reprove_by"
  | "deleted"
  | "hidden"
  | "mine"
  | "created_at"
>;

/** The caller's records, of this post and today. */
export interface RecordUsage {
  /** Whether the caller has a record of the post that did not fail. */
  readonly recorded: boolean;
  readonly today: number;
  /** Those among `today` that an account of the same person made before it withdrew. */
  readonly carried: number;
}

/** Reads the caller's records. Only under the post's lock is the result sure to be current. */
export async function recordUsage(
  db: Db | Trx,
  { postId, userId, now }: { readonly postId: string; readonly userId: string; readonly now: Date },
): Promise<RecordUsage> {
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
  const carried = await carriedToday(db, { userId, kind: "record", day: recordDay(now) });
  return { recorded: Boolean(recorded), today: (today ?? 0) + carried, carried };
}

/**
 * Refuses a record that breaks a rule, in this order: the caller may write under the post, did not write it, it is old
 * enough, one record per person, three a day.
 * @throws Refusal
 */
export async function assertRecordable(
  db: Db | Trx,
  caller: Caller,
  { post, usage, now }: { post: RecordablePost; usage: RecordUsage; now: Date },
): Promise<void> {
  const { record } = postAccess(post, viewerOf(caller, post));
  if (record === "record_own_post") throw new Refusal("record_own_post");
  await assertAllowedIn(db, record, post.topic_id, caller);
  const refused = recordRefusal({ createdAt: post.created_at, now, ...usage });
  if (refused === "record_too_new") {
    const minutes = minutesUntilRecordable({ createdAt: post.created_at, now });
    throw new Refusal(refused, {
      retryAfter: minutes * 60,
      message: `You can record this post in ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`,
    });
  }
  if (refused) throw new Refusal(refused);
}

/** Refuses to change a post that is recorded, or whose record is pending. @throws Refusal post_recorded */
export async function assertNotRecorded(
  db: Db | Trx,
  { id, record_count }: Pick<LockedPost, "id" | "record_count">,
): Promise<void> {
  const record = await db
    .selectFrom("records")
    .select("id")
    .where("post_id", "=", id)
    .where("status", "<>", "failed")
    .limit(1)
    .executeTakeFirst();
  if (record_count > 0 || record) throw new Refusal("post_recorded");
}
