import type { Db, Trx } from "@/lib/community/context";
import { sessionSeconds } from "./tokens";

/**
 * Ends a session. The row is kept for as long as any token with this id could still be valid.
 * @returns false when it had ended before: of many parallel calls exactly one gets true.
 */
export async function revokeSession(db: Db | Trx, jti: string, now: Date): Promise<boolean> {
  const row = await db
    .insertInto("revoked_sessions")
    .values({ jti, expires_at: new Date(now.getTime() + sessionSeconds * 1000) })
    .onConflict((conflict) => conflict.column("jti").doNothing())
    .returning("jti")
    .executeTakeFirst();
  return row !== undefined;
}
