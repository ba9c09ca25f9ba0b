import { sql } from "kysely";
import type { Db } from "@/db/schema";
import type { Caller } from "@/lib/context";
import { openCases } from "../moderation/queue";
import { isNotAbout } from "./reports";

/** Number of open cases of a user's queues; null where they have no role for one. */
export interface OpenWork {
  readonly desk: number | null;
  readonly staff: number | null;
}

/** Returns how much waits for this user, for the navigation. */
export async function readOpenWork(
  db: Db,
  { userId, operator }: Pick<Caller, "userId" | "operator">,
): Promise<OpenWork> {
  const topics = await db
    .selectFrom("memberships")
    .select("topic_id")
    .where("user_id", "=", userId)
    .where("role", "in", ["owner", "admin"])
    .execute();
  if (topics.length === 0 && !operator) return { desk: null, staff: null };
  const cases = openCases(topics.map(({ topic_id }) => topic_id));
  const { rows } = await sql<{ desk: number; staff: number }>`
    select (select count(*)::int from (${cases}) cases) as staff,
      (select count(distinct (r.kind, r.target_id))::int from desk_reports r
        where r.status = 'open' and ${isNotAbout(userId)}) as desk`.execute(db);
  const [open] = rows;
  return {
    desk: operator ? (open?.desk ?? 0) : null,
    staff: topics.length > 0 ? (open?.staff ?? 0) : null,
  };
}
