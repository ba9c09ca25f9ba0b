import { sql } from "kysely";
import type { Context } from "@/lib/context";

/** Files that one round removes. */
const ROUND = 500;

/**
 * Forgets the files of released holds, and removes those that only a hold kept: nothing names them any more. A file that
 * is about to be removed anyway stays for the next round, so that its removal and this agree about who keeps it.
 */
export async function sweepHeldFiles({ db, storage }: Pick<Context, "db" | "storage">): Promise<void> {
  const { rows } = await sql<{ hold_id: string; key: string }>`
    select f.hold_id, f.key from held_files f join legal_holds h on h.id = f.hold_id
    where h.released_at is not null order by f.key limit ${ROUND}`.execute(db);
  for (const { hold_id, key } of rows) {
    await db.transaction().execute(async (trx) => {
      const upload = await trx
        .selectFrom("uploads")
        .select("stored")
        .where("key", "=", key)
        .forNoKeyUpdate()
        .executeTakeFirst();
      if (upload && !upload.stored) return;
      await trx.deleteFrom("held_files").where("hold_id", "=", hold_id).where("key", "=", key).execute();
      const other = await trx
        .selectFrom("held_files")
        .select("key")
        .where("key", "=", key)
        .limit(1)
        .executeTakeFirst();
      // Before the commit: after a crash, the next round does it again.
      if (!upload && !other) await storage.remove([key]);
    });
  }
}
