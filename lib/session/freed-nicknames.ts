import { sql } from "kysely";
import type { Trx } from "@/db/schema";

const day = 86_400_000;
/** How long a nickname that was given up is for nobody but its former holder. */
const quarantineMs = 30 * day;

/** Keeps the nickname this user has, by its looks, from others for a while. @param holder null: from everybody */
export async function freeNickname(
  trx: Trx,
  userId: string,
  holder: string | null,
  now: Date,
): Promise<void> {
  // Withdrawing gives up the names given up before as well: nobody is left to have them back.
  if (holder === null)
    await sql`update freed_nicknames set user_id = null where user_id = ${userId}`.execute(trx);
  await sql`with expired as (
      delete from freed_nicknames where freed_at <= ${new Date(now.getTime() - quarantineMs)}
        and skeleton is distinct from (select nickname_skeleton from users where id = ${userId}))
    insert into freed_nicknames (skeleton, user_id, freed_at)
    select nickname_skeleton, ${holder}::text, ${now}::timestamptz from users
    where id = ${userId} and nickname_skeleton is not null
    on conflict (skeleton) do update set user_id = excluded.user_id, freed_at = excluded.freed_at`.execute(
    trx,
  );
}

/** Whether somebody else gave up a nickname that looks so, and not long ago. To be asked once it is taken. */
export async function isQuarantined(trx: Trx, skeleton: string, userId: string, now: Date): Promise<boolean> {
  const { rows } = await sql`select from freed_nicknames where skeleton = ${skeleton}
    and freed_at > ${new Date(now.getTime() - quarantineMs)} and user_id is distinct from ${userId}`.execute(
    trx,
  );
  return rows.length > 0;
}
