import type { Db, Trx } from "@/db/schema";
import { Refusal } from "@/lib/errors";
import { isRecordId } from "../ids";
import { inOrder } from "../paging";
import { mutedIn } from "../viewer";

export type TopicRow = Awaited<ReturnType<typeof selectTopics>>[number];

function selectTopics(db: Db | Trx, ids: readonly string[], callerId: string | null) {
  return db
    .selectFrom("topics as t")
    .leftJoin("categories as c", "c.id", "t.category_id")
    .leftJoin("memberships as m", (join) =>
      join.onRef("m.topic_id", "=", "t.id").on("m.user_id", "=", callerId),
    )
    .selectAll("t")
    .select(["c.name as category_name", "c.slug as category_slug", "c.icon as category_icon", "m.role"])
    .select(mutedIn("t.id", callerId).as("muted"))
    .where("t.id", "in", [...ids])
    .execute();
}

/** Topics with category and the caller's role, in the order of the ids, in one query. */
export async function loadTopics(
  db: Db,
  ids: readonly string[],
  callerId: string | null,
): Promise<TopicRow[]> {
  if (ids.length === 0) return [];
  return inOrder(ids, await selectTopics(db, ids, callerId));
}

/** @throws Refusal topic_not_found when there is none; whether the caller may see it is the policy's to say. */
export async function loadTopic(db: Db | Trx, id: string, callerId: string | null): Promise<TopicRow> {
  const [row] = isRecordId(id) ? await selectTopics(db, [id], callerId) : [];
  if (!row) throw new Refusal("topic_not_found");
  return row;
}
