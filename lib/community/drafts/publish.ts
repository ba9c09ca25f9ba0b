import type { Trx } from "@/db/schema";
import type { Context } from "@/lib/context";
import type { WaitingPost } from "@/lib/contract/drafts";
import { isRefusal, Refusal } from "@/lib/errors";
import { log } from "@/lib/log";
import { absentCaller } from "@/lib/session/caller";
import { notify } from "../notifications/notify";
import { writePost } from "../posts/create";
import { write } from "../write";

/** Posts published in one round. */
const ROUND = 50;
const FIRST_ID = "00000000-0000-0000-0000-000000000000";

type Publishing = Omit<Context, "caller">;

interface Place {
  readonly publish_at: Date;
  readonly id: string;
}

interface Due extends Place {
  readonly user_id: string;
  readonly topic_id: string;
  readonly content: WaitingPost;
  readonly automated: boolean;
}

/** Publishes the posts whose time has come, by the rules of now. Any number of processes may do so at once. */
export async function publishDue(services: Publishing): Promise<void> {
  let after: Place | undefined = { publish_at: new Date(0), id: FIRST_ID };
  while (after) {
    const due = await nextDue(services, after);
    for (const post of due) {
      await publish(services, post).catch((error: unknown) => {
        // No fault of its own: it is tried again in the next round.
        log.warn({ err: error, scheduledId: post.id }, "a scheduled post was not published");
      });
    }
    after = due.length === ROUND ? due.at(-1) : undefined;
  }
}

/** Returns the posts whose time has come, from the one after `after`: one that fails holds nothing up. */
async function nextDue({ db, now }: Publishing, { publish_at, id }: Place): Promise<Due[]> {
  return await db
    .selectFrom("scheduled_posts")
    .select(["id", "user_id", "topic_id", "content", "publish_at", "automated"])
    .where("publish_at", "<=", now())
    .where("problem", "is", null)
    .where(({ eb, refTuple, tuple }) => eb(refTuple("publish_at", "id"), ">", tuple(publish_at, id)))
    .orderBy("publish_at")
    .orderBy("id")
    .limit(ROUND)
    .execute();
}

/** Thrown where another process was faster, or the author took the post back. */
class Gone extends Error {
  override readonly name = "Gone";
}

/** Publishes one post, or notes why it is refused. Throws what is no refusal. */
async function publish(services: Publishing, due: Due): Promise<void> {
  try {
    const caller = await absentCaller(services, due.user_id);
    if (!caller) throw new Refusal("suspended");
    const input = { topicId: due.topic_id, ...inputOf(due.content) };
    const alongside = (trx: Trx) => take(trx, due.id);
    await writePost({ ...services, caller }, input, { automated: due.automated, alongside });
    services.changed("lists");
  } catch (error) {
    if (error instanceof Gone) return;
    if (!isRefusal(error) || error.status >= 500) throw error;
    await refuse(services, due, error.code);
  }
}

/** Deletes the row in the transaction that writes the post: one of them happens with the other, and once. */
async function take(trx: Trx, id: string): Promise<void> {
  const taken = await trx
    .deleteFrom("scheduled_posts")
    .where("id", "=", id)
    .where("problem", "is", null)
    .returning("id")
    .executeTakeFirst();
  if (!taken) throw new Gone();
}

/** Keeps the post with the reason, and tells its author. */
async function refuse(services: Publishing, { id, user_id, topic_id, content }: Due, problem: string) {
  await write(services, async (trx, effects) => {
    const noted = await trx
      .updateTable("scheduled_posts")
      .set({ problem })
      .where("id", "=", id)
      .where("problem", "is", null)
      .returning("id")
      .executeTakeFirst();
    if (!noted) return;
    const act = { topicId: null, actorId: null, now: services.now() };
    const details = { problem, title: content.title, topicId: topic_id };
    await notify(trx, effects, act, [{ kind: "scheduled_refused", to: [user_id], details }]);
  });
}

function inputOf({ title, content, tags, media, poll }: WaitingPost) {
  return {
    title,
    content,
    tags,
    media,
    ...(poll && {
      poll: {
        ...(poll.question !== null && { question: poll.question }),
        options: poll.options,
        multipleChoice: poll.multipleChoice,
        isSecret: poll.isSecret,
        ...(poll.closesAt !== null && { closesAt: poll.closesAt }),
      },
    }),
  };
}
