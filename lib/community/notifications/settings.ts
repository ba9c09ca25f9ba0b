import { sql } from "kysely";
import type { Db } from "@/db/schema";
import type { Caller, Handler } from "@/lib/context";
import type { contract, ResponseBody } from "@/lib/contract";
import { decisionKinds, type NotificationKind, notificationKinds } from "@/lib/contract/notification-kinds";
import { readerWith } from "@/lib/policy/decision";
import { topicAccess } from "@/lib/policy/topic";
import { authorizeTopic } from "../topics/load";
import { assertLive, holdTopic } from "../topics/membership";
import { digestOf } from "./digest";
import { threadLevelsOf } from "./threads";

type Settings = ResponseBody<typeof contract.notifications.settings>;

const required: ReadonlySet<NotificationKind> = new Set(decisionKinds);
/** Topics that the settings list. */
const MAX_TOPICS = 500;

/** GET /api/me/notification-settings */
export const getNotificationSettings: Handler<typeof contract.notifications.settings> = async ({
  caller,
  db,
}) => {
  const [kinds, topics, threads, digest] = await Promise.all([
    kindsOf(db, caller),
    topicsOf(db, caller.userId),
    threadLevelsOf(db, caller.userId),
    digestOf(db, caller.userId),
  ]);
  return { kinds, topics, threads, digest };
};

/** Returns what notifies a user for each kind that can reach them, in the order of the kinds. */
async function kindsOf(db: Db, { userId, operator }: Caller): Promise<Settings["kinds"]> {
  const rows = await db
    .selectFrom("notification_settings")
    .select(["kind", "in_app", "push"])
    .where("user_id", "=", userId)
    .execute();
  const chosen = new Map(rows.map((row) => [row.kind, row]));
  const kinds = notificationKinds.filter((kind) => kind !== "desk_report_opened" || operator !== null);
  return kinds.map((kind) => {
    const row = chosen.get(kind);
    return {
      kind,
      inApp: row?.in_app ?? true,
      push: row?.push ?? true,
      isRequired: required.has(kind),
    };
  });
}

/** Returns the topics that a user muted or set a level for, as far as they may read them. */
async function topicsOf(db: Db, userId: string): Promise<Settings["topics"]> {
  const rows = await db
    .selectFrom("topics as t")
    .leftJoin("topic_mutes as q", (join) =>
      join.onRef("q.topic_id", "=", "t.id").on("q.user_id", "=", userId),
    )
    .leftJoin("topic_notification_levels as l", (join) =>
      join.onRef("l.topic_id", "=", "t.id").on("l.user_id", "=", userId),
    )
    .leftJoin("memberships as m", (join) =>
      join.onRef("m.topic_id", "=", "t.id").on("m.user_id", "=", userId),
    )
    .select(["t.id", "t.title", "t.visibility", "m.role", "l.level"])
    .select((eb) => eb("q.user_id", "is not", null).as("is_muted"))
    .where((eb) =>
      eb(
        "t.id",
        "in",
        eb
          .selectFrom("topic_mutes")
          .select("topic_id")
          .where("user_id", "=", userId)
          .union(eb.selectFrom("topic_notification_levels").select("topic_id").where("user_id", "=", userId)),
      ),
    )
    .orderBy(sql`greatest(q.created_at, l.created_at)`, "desc")
    .orderBy("t.id")
    .limit(MAX_TOPICS)
    .execute();
  return rows
    .filter((row) => topicAccess(row, readerWith(row.role, "current")).readContent === "allowed")
    .map((row) => ({
      topicId: row.id,
      title: row.title,
      isMuted: Boolean(row.is_muted),
      level: row.level ?? "all",
    }));
}

/** PATCH /api/me/notification-settings: for the kinds named, what is named. */
export const setNotificationKinds: Handler<typeof contract.notifications.setKinds> = async (
  { caller, db },
  { kinds, inApp, push },
) => {
  const { userId } = caller;
  await db.transaction().execute(async (trx) => {
    // In one order, so that two requests do not wait for each other.
    const sorted = [...new Set(kinds)].sort();
    await sql`
      insert into notification_settings as s (user_id, kind, in_app, push)
      select ${userId}::text, kind, ${inApp ?? true}::boolean, ${push ?? true}::boolean from unnest(${sorted}::text[]) as kind
      on conflict (user_id, kind) do update set
        in_app = coalesce(${inApp ?? null}::boolean, s.in_app), push = coalesce(${push ?? null}::boolean, s.push)`.execute(
      trx,
    );
    await assertLive(trx, userId);
  });
  return { kinds: await kindsOf(db, caller) };
};

/**
 * PUT /api/topics/{topicId}/notifications: also of a public topic the caller does not belong to, where they are
 * answered as an author who left.
 * @throws Refusal topic_not_found, not_a_member
 */
export const setTopicNotifications: Handler<typeof contract.topics.setNotifications> = async (
  { caller, db, now },
  { topicId, level },
) => {
  await db.transaction().execute(async (trx) => {
    await holdTopic(trx, topicId);
    await authorizeTopic(trx, topicId, caller, "readContent");
    // Without a row, all.
    if (level === "all") {
      await trx
        .deleteFrom("topic_notification_levels")
        .where("user_id", "=", caller.userId)
        .where("topic_id", "=", topicId)
        .execute();
      return;
    }
    await trx
      .insertInto("topic_notification_levels")
      .values({ user_id: caller.userId, topic_id: topicId, level, created_at: now() })
      .onConflict((conflict) => conflict.columns(["user_id", "topic_id"]).doUpdateSet({ level }))
      .execute();
    await assertLive(trx, caller.userId);
  });
  return { level };
};
