import type { Trx } from "@/db/schema";
import type { Handler } from "@/lib/context";
import type { contract, HandlerInput } from "@/lib/contract";
import type { ScheduledPost, WaitingPost } from "@/lib/contract/drafts";
import { LIMITS } from "@/lib/contract/limits";
import { Refusal } from "@/lib/errors";
import { transact } from "@/lib/sql/transact";
import { htmlOfContent } from "../posts/content";
import { authorizeTopic } from "../topics/load";
import { holdTopic, lockLive } from "../topics/membership";

const LATEST_MS = LIMITS.scheduled.days * 24 * 60 * 60 * 1000;

/**
 * POST /api/topics/{topicId}/scheduled
 * @throws Refusal topic_not_found, not_a_member, muted, …; invalid_request for a time that is past or too far away;
 *   too_many_scheduled
 */
export const schedulePost: Handler<typeof contract.scheduled.create> = async (
  { caller, db, now },
  { topicId, publishAt, ...post },
) => {
  const at = new Date(publishAt);
  assertTime(at, now(), post.poll?.closesAt);
  return await transact(db, async (trx) => {
    await holdTopic(trx, topicId);
    const topic = await authorizeTopic(trx, topicId, caller, "write");
    await lockLive(trx, caller.userId);
    await assertRoom(trx, caller.userId);
    const row = await trx
      .insertInto("scheduled_posts")
      .values({
        user_id: caller.userId,
        topic_id: topicId,
        content: JSON.stringify(waitingPost({ ...post, content: htmlOfContent(post) })),
        publish_at: at,
        problem: null,
        automated: caller.automation !== null,
        created_at: now(),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return { scheduled: viewOf(row, topic.title) };
  });
};

function assertTime(at: Date, now: Date, closesAt: string | undefined): void {
  const wrong = (field: string, message: string) =>
    new Refusal("invalid_request", { field, message: `${field} ${message}.` });
  if (at <= now) throw wrong("publishAt", "must be in the future");
  if (at.getTime() > now.getTime() + LATEST_MS) {
    throw wrong("publishAt", `must be within ${LIMITS.scheduled.days} days`);
  }
  if (closesAt && new Date(closesAt) <= at) throw wrong("poll.closesAt", "must be after publishAt");
}

async function assertRoom(trx: Trx, userId: string): Promise<void> {
  const { count } = await trx
    .selectFrom("scheduled_posts")
    .select((eb) => eb.fn.countAll<string>().as("count"))
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  if (Number(count) >= LIMITS.scheduled.most) throw new Refusal("too_many_scheduled");
}

/** GET /api/me/scheduled: posts that wait for their time or were refused, the next first. */
export const listScheduled: Handler<typeof contract.scheduled.list> = async ({ caller, db }) => {
  const rows = await db
    .selectFrom("scheduled_posts as s")
    .innerJoin("topics as t", "t.id", "s.topic_id")
    .selectAll("s")
    .select("t.title as topic_title")
    .where("s.user_id", "=", caller.userId)
    .orderBy("s.publish_at")
    .orderBy("s.id")
    .limit(LIMITS.scheduled.most)
    .execute();
  return { scheduled: rows.map((row) => viewOf(row, row.topic_title)) };
};

/** DELETE /api/me/scheduled/{scheduledId} @throws Refusal scheduled_not_found, also once it is published */
export const cancelScheduled: Handler<typeof contract.scheduled.cancel> = async (
  { caller, db },
  { scheduledId },
) => {
  const row = await db
    .deleteFrom("scheduled_posts as s")
    .using("topics as t")
    .whereRef("t.id", "=", "s.topic_id")
    .where("s.id", "=", scheduledId)
    .where("s.user_id", "=", caller.userId)
    .returningAll("s")
    .returning("t.title as topic_title")
    .executeTakeFirst();
  if (!row) throw new Refusal("scheduled_not_found");
  return { scheduled: viewOf(row, row.topic_title) };
};

interface Row {
  readonly id: string;
  readonly topic_id: string;
  readonly publish_at: Date;
  readonly problem: string | null;
  readonly content: WaitingPost;
}

function viewOf({ id, topic_id, publish_at, problem, content }: Row, topicTitle: string): ScheduledPost {
  return {
    id,
    topicId: topic_id,
    topicTitle,
    publishAt: publish_at.toISOString(),
    problem,
    post: content,
  };
}

type Post = Omit<HandlerInput<typeof contract.scheduled.create>, "topicId" | "publishAt">;

function waitingPost({ title, content, tags = [], media, poll }: Post): WaitingPost {
  return {
    title,
    content,
    tags,
    media: { images: media?.images ?? [], videos: media?.videos ?? [] },
    poll: poll
      ? {
          question: poll.question ?? null,
          options: poll.options,
          multipleChoice: poll.multipleChoice,
          isSecret: poll.isSecret,
          closesAt: poll.closesAt ? new Date(poll.closesAt).toISOString() : null,
        }
      : null,
  };
}
