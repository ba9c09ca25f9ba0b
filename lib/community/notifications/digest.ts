import { createHash } from "node:crypto";
import type { Db } from "@/db/schema";
import type { Context, Handler } from "@/lib/context";
import type { contract } from "@/lib/contract";
import { readerWith } from "@/lib/policy/decision";
import { proofState } from "@/lib/policy/freshness";
import { topicAccess } from "@/lib/policy/topic";
import { unreadOf } from "../reading/counts";
import { assertLive } from "../topics/membership";
import { write } from "../write";
import { notify } from "./notify";

const DAY_MS = 86_400_000;
const RHYTHM_MS = { day: DAY_MS, week: 7 * DAY_MS } as const;
/** Members told in one round. */
const ROUND = 200;

/** PUT /api/me/digest */
export const setDigest: Handler<typeof contract.notifications.setDigest> = async (
  { caller, db, now },
  { every },
) => {
  const user_id = caller.userId;
  await db.transaction().execute(async (trx) => {
    if (every === "never") {
      await trx.deleteFrom("digests").where("user_id", "=", user_id).execute();
      return;
    }
    const row = { every, next_at: new Date(now().getTime() + RHYTHM_MS[every]) };
    await trx
      .insertInto("digests")
      .values({ user_id, ...row, last_told: null })
      .onConflict((conflict) => conflict.column("user_id").doUpdateSet(row))
      .execute();
    await assertLive(trx, user_id);
  });
  return { every };
};

/** Returns how often a user is told what is new. */
export async function digestOf(db: Db, userId: string): Promise<"never" | "day" | "week"> {
  const row = await db.selectFrom("digests").select("every").where("user_id", "=", userId).executeTakeFirst();
  return row?.every ?? "never";
}

type Telling = Pick<Context, "db" | "live" | "now">;

/** Tells everyone whose digest is due how much is new in their topics, unless that is nothing, or they were told. */
export async function sendDigests(services: Telling): Promise<void> {
  for (;;) {
    const due = await services.db
      .selectFrom("digests")
      .select("user_id")
      .where("next_at", "<=", services.now())
      .orderBy("next_at")
      .limit(ROUND)
      .execute();
    for (const { user_id } of due) await tell(services, user_id);
    if (due.length < ROUND) return;
  }
}

/** Tells one user, unless another process did. */
async function tell(services: Telling, userId: string): Promise<void> {
  const now = services.now();
  const news = await newsOf(services.db, userId, now);
  await write(services, async (trx, effects) => {
    const due = await trx
      .selectFrom("digests")
      .select(["every", "last_told"])
      .where("user_id", "=", userId)
      .where("next_at", "<=", now)
      .forUpdate()
      .executeTakeFirst();
    if (!due) return;
    // From now: a process that was away does not send what it missed all at once.
    const next_at = new Date(now.getTime() + RHYTHM_MS[due.every]);
    await trx
      .updateTable("digests")
      .set({ next_at, last_told: news.said })
      .where("user_id", "=", userId)
      .execute();
    if (news.count === 0 || news.said === due.last_told) return;
    const details = { count: String(news.count) };
    await notify(trx, effects, { topicId: null, actorId: null, now }, [
      { kind: "digest", to: [userId], details },
    ]);
  });
}

/** Returns how much is new to a user outside of muted topics, and a text that changes whenever that does. */
async function newsOf(db: Db, userId: string, now: Date) {
  const topics = (await unreadOf(db, userId)).filter(
    ({ visibility, role, reprove_by, is_muted }) =>
      !is_muted &&
      topicAccess({ visibility }, readerWith(role, proofState(reprove_by, now))).inside === "allowed",
  );
  const all = topics.map(({ id, posts, chat, threads }) => ({ id, n: posts + chat + threads }));
  const fresh = all.filter(({ n }) => n > 0);
  return {
    count: fresh.reduce((sum, { n }) => sum + n, 0),
    said: createHash("sha256")
      .update(JSON.stringify(fresh.map(({ id, n }) => `${id} ${n}`).toSorted()))
      .digest("base64url"),
  };
}
