import { sql } from "kysely";
import type { Trx } from "@/db/schema";
import { presenceListed } from "@/lib/contract/chat";
import type { Connection, Connections, Signal } from "@/lib/live";
import { grouped } from "@/lib/live/batch";
import { addEntries, lockRooms } from "./entries";
import { inLiveProcess } from "./presence";

/** A user who is present in a topic's chat. */
interface Present {
  readonly topicId: string;
  readonly userId: string;
}

const nameOf = ({ topicId, userId }: Present) => `${topicId} ${userId}`;

/**
 * Connections to chats. A user joins with their first connection and leaves with their last, across all processes. Both
 * are announced under the lock of the room's row, so that each is announced once. In a chat with more people than the
 * presence list holds, joins and leaves are not announced.
 */
export const chatConnections: Connections = {
  async opened({ db, processId, now }, connections) {
    const at = now();
    return await db.transaction().execute(async (trx) => {
      const topicIds = await lockRooms(trx, topicsOf(connections), at);
      const kept = connections.filter(({ key }) => topicIds.includes(key));
      if (kept.length === 0) return [];
      const present = await presentAmong(trx, kept.map(presentOf));
      await trx
        .insertInto("chat_connections")
        .values(
          kept.map(({ id, key, userId }) => ({
            id,
            topic_id: key,
            user_id: userId,
            process_id: processId,
            connected_at: at,
          })),
        )
        .execute();
      const joined = kept.map(presentOf).filter((one) => !present.has(nameOf(one)));
      return await announce(trx, joined, "join", at);
    });
  },

  async closed({ db, now }, connections) {
    const at = now();
    return await db.transaction().execute(async (trx) => {
      await lockRooms(trx, topicsOf(connections), at);
      const left = await trx
        .deleteFrom("chat_connections")
        .where(
          "id",
          "in",
          connections.map(({ id }) => id),
        )
        .returning(["topic_id as topicId", "user_id as userId"])
        .execute();
      return await announceLeft(trx, left, at);
    });
  },

  async abandoned(trx, processIds, now) {
    const connections = trx
      .selectFrom("chat_connections")
      .select("topic_id")
      .distinct()
      .where("process_id", "in", [...processIds]);
    const topicIds = (await connections.execute()).map(({ topic_id }) => topic_id);
    if (topicIds.length === 0) return [];
    await lockRooms(trx, topicIds, now);
    const left = await trx
      .deleteFrom("chat_connections")
      .where("process_id", "in", [...processIds])
      .returning(["topic_id as topicId", "user_id as userId"])
      .execute();
    return await announceLeft(trx, left, now);
  },
};

function presentOf({ key, userId }: Connection): Present {
  return { topicId: key, userId };
}

function topicsOf(connections: readonly Connection[]): string[] {
  return [...new Set(connections.map(({ key }) => key))];
}

async function announceLeft(trx: Trx, left: readonly Present[], now: Date): Promise<Signal[]> {
  const present = await presentAmong(trx, left);
  return await announce(
    trx,
    left.filter((one) => !present.has(nameOf(one))),
    "leave",
    now,
  );
}

/** Writes entries for users who joined or left. @returns the signals to publish */
async function announce(
  trx: Trx,
  moved: readonly Present[],
  type: "join" | "leave",
  now: Date,
): Promise<Signal[]> {
  const signals: Signal[] = [];
  const topics = [...grouped(moved, ({ topicId }) => topicId)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  for (const [topicId, people] of topics) {
    const userIds = [...new Set(people.map(({ userId }) => userId))];
    // Counts those who just left or joined.
    const present = (await countPresent(trx, topicId)) + (type === "leave" ? userIds.length : 0);
    signals.push({ kind: "presence", topicId });
    if (present > presenceListed) continue;
    const entries = userIds.map((userId) => ({ userId, type, text: "" }));
    const written = await addEntries(trx, topicId, entries, now);
    signals.push({ kind: "chat", topicId, position: Math.max(...written.map(({ position }) => position)) });
  }
  return signals;
}

/** Returns the names of those people who are connected. */
async function presentAmong(trx: Trx, people: readonly Present[]): Promise<ReadonlySet<string>> {
  if (people.length === 0) return new Set();
  const { rows } = await sql<Present>`
    select distinct c.topic_id as "topicId", c.user_id as "userId"
    from jsonb_to_recordset(${JSON.stringify(people)}::jsonb) as wanted ("topicId" uuid, "userId" text)
    join chat_connections c on c.topic_id = wanted."topicId" and c.user_id = wanted."userId" ${inLiveProcess}`.execute(
    trx,
  );
  return new Set(rows.map(nameOf));
}

async function countPresent(trx: Trx, topicId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct c.user_id)::int as count
    from chat_connections c ${inLiveProcess} where c.topic_id = ${topicId}`.execute(trx);
  return rows[0]?.count ?? 0;
}
