import { sql } from "kysely";
import type { Trx } from "@/db/schema";
import type { contract, HandlerInput } from "@/lib/contract";
import { LIMITS } from "@/lib/contract/limits";
import { Refusal } from "@/lib/errors";
import type { MemberSessionContext } from "./context";
import { renewSession } from "./sessions";
import { nicknameKey } from "./users";

/** Names that sound like the site, its staff or its texts. Compared by their looks. */
const RESERVED = new Set(
  (
    "admin admins administrator root owner mod mods moderator moderators staff support help helpdesk security abuse " +
    "legal official team system server bot parley parley_team everyone here anonymous withdrawn former_member " +
    "deleted null"
  )
    .split(" ")
    .map(folded),
);

/** How long only its former holder may take back a nickname they gave up. */
const QUARANTINE_MS = LIMITS.days.freedNickname * 86_400_000;

/** Folds more than a skeleton: here a capital I counts as i as well as l, and underscores do not count. */
function folded(nickname: string): string {
  return lookOf(nickname.toLowerCase().replace(/[il1]/g, "l").replace(/0/g, "o").replace(/_/g, ""));
}

/** Returns what a nickname looks like: I, l and 1 are the same, as are O, o and 0, and case does not matter. */
function nicknameSkeleton(nickname: string): string {
  return nickname.replace(/[Il1]/g, "l").toLowerCase().replace(/0/g, "o");
}

/**
 * Returns the skeleton of UTS 39. Nicknames are ASCII, where its table (confusables.txt) has, besides what
 * `nicknameSkeleton` folds, only that m looks like rn. Not stored, since the previous release stores skeletons too; the
 * indexes of migration 022 have it.
 */
function lookOf(skeleton: string): string {
  return skeleton.replace(/m/g, "rn");
}

/** Returns whether no user may choose a nickname; generated ones begin with `anon_`. */
function isReserved(nickname: string): boolean {
  return RESERVED.has(folded(nickname)) || nickname.toLowerCase().startsWith("anon_");
}

/**
 * Chooses or changes the caller's nickname and reissues the session, as `refreshSession` does. Unique keys on the
 * lower-case name and on its looks decide between callers who want the same one. A nickname someone gave up is
 * reserved for 30 days.
 * @throws Refusal nickname_taken
 */
export async function setNickname(
  ctx: MemberSessionContext,
  { nickname }: HandlerInput<typeof contract.profile.setNickname>,
) {
  const { userId } = ctx.caller;
  if (isReserved(nickname) && nickname !== ctx.caller.nickname) throw taken();
  const skeleton = nicknameSkeleton(nickname);
  try {
    const { token } = await ctx.db.transaction().execute(async (trx) => {
      // One after the other, since no unique key has this look.
      await sql`select pg_advisory_xact_lock(hashtextextended(${`nickname ${lookOf(skeleton)}`}, 0))`.execute(
        trx,
      );
      // Before any other row: a row of freed_nicknames refers to the user, and two changes that both hold theirs would wait for each other.
      await trx.selectFrom("users").select("id").where("id", "=", userId).forUpdate().execute();
      await freeNickname(trx, userId, userId, ctx.now());
      await trx
        .updateTable("users")
        .set({
          nickname,
          nickname_key: nicknameKey(nickname),
          nickname_set: true,
          nickname_skeleton: skeleton,
        })
        .where("id", "=", userId)
        .execute();
      // The update waited for any user who was giving this nickname up.
      if (await looksLikeAnother(trx, skeleton, userId)) throw taken();
      if (await isQuarantined(trx, skeleton, userId, ctx.now())) throw taken();
      return await renewSession(trx, ctx, nickname);
    });
    ctx.live.publish({ kind: "access", userId });
    ctx.session.setToken(token);
    return { nickname, ...(ctx.session.bearer && { token }) };
  } catch (error) {
    // SQLSTATE unique_violation.
    if (!(error instanceof Error && "code" in error && error.code === "23505")) throw error;
    throw taken();
  }
}

/** The same error for every reason: it does not reveal which names are reserved or were given up. */
function taken(): Refusal {
  return new Refusal("nickname_taken", { field: "nickname" });
}

/** Reserves this user's nickname, by its looks, for a while. @param holder who may take it back; null: no one */
export async function freeNickname(
  trx: Trx,
  userId: string,
  holder: string | null,
  now: Date,
): Promise<void> {
  // Deleting the account also gives up earlier nicknames: no one is left to take them back.
  if (holder === null)
    await sql`update freed_nicknames set user_id = null where user_id = ${userId}`.execute(trx);
  await sql`with expired as (
      delete from freed_nicknames where freed_at <= ${new Date(now.getTime() - QUARANTINE_MS)}
        and skeleton is distinct from (select nickname_skeleton from users where id = ${userId}))
    insert into freed_nicknames (skeleton, user_id, freed_at)
    select nickname_skeleton, ${holder}::text, ${now}::timestamptz from users
    where id = ${userId} and nickname_skeleton is not null
    on conflict (skeleton) do update set user_id = excluded.user_id, freed_at = excluded.freed_at`.execute(
    trx,
  );
}

/** Returns whether another user has a nickname with this look, such as `modern` and `rnodern`. */
async function looksLikeAnother(trx: Trx, skeleton: string, userId: string): Promise<boolean> {
  const { rows } = await sql`select from users where nickname_skeleton is not null
    and replace(nickname_skeleton, 'm', 'rn') = ${lookOf(skeleton)} and id <> ${userId}`.execute(trx);
  return rows.length > 0;
}

/** Returns whether another user recently gave up a nickname with these looks. Call it after taking the name. */
async function isQuarantined(trx: Trx, skeleton: string, userId: string, now: Date): Promise<boolean> {
  const { rows } =
    await sql`select from freed_nicknames where replace(skeleton, 'm', 'rn') = ${lookOf(skeleton)}
    and freed_at > ${new Date(now.getTime() - QUARANTINE_MS)} and user_id is distinct from ${userId}`.execute(
      trx,
    );
  return rows.length > 0;
}
