import type { contract, HandlerInput } from "@/lib/contract";
import { Refusal } from "@/lib/errors";
import type { MemberSessionContext } from "./context";
import { freeNickname, isQuarantined } from "./freed-nicknames";
import { renewSession } from "./sessions";
import { nicknameKey } from "./users";

/** Names that would speak for the site, its staff or its texts. Compared by what they look like. */
const reserved = new Set(
  [
    ...[
      "admin",
      "admins",
      "administrator",
      "root",
      "owner",
      "mod",
      "mods",
      "moderator",
      "moderators",
      "staff",
    ],
    ...[
      "support",
      "help",
      "helpdesk",
      "security",
      "abuse",
      "legal",
      "official",
      "team",
      "system",
      "server",
      "bot",
    ],
    ...[
      "parley",
      "parley_team",
      "everyone",
      "here",
      "anonymous",
      "withdrawn",
      "former_member",
      "deleted",
      "null",
    ],
  ].map(folded),
);

/** Further than a skeleton: a capital I stands for i here as well as for l. */
function folded(nickname: string): string {
  return nickname.toLowerCase().replace(/[il1]/g, "l").replace(/0/g, "o");
}

/** What a nickname looks like: I, l and 1 are one, O, o and 0 are one, and case does not count. */
function nicknameSkeleton(nickname: string): string {
  return nickname.replace(/[Il1]/g, "l").toLowerCase().replace(/0/g, "o");
}

/** Whether nobody may choose a nickname; what we make up ourselves begins with `anon_`. */
function isReserved(nickname: string): boolean {
  return reserved.has(folded(nickname)) || nickname.toLowerCase().startsWith("anon_");
}

/** SQLSTATE unique_violation. */
const uniqueViolation = "23505";

/**
 * Chooses or changes the caller's nickname and reissues the session under it, as `refreshSession` does. The unique key
 * on the lower-cased name, and the one on its looks, decide between callers who want the same one. A nickname that somebody
 * gave up is kept from others for 30 days.
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
      // Taking it waited for whoever was giving it up.
      if (await isQuarantined(trx, skeleton, userId, ctx.now())) throw taken();
      return await renewSession(trx, ctx, nickname);
    });
    ctx.live.publish({ kind: "access", userId });
    ctx.session.give(token);
    return { nickname, ...(ctx.session.bearer && { token }) };
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === uniqueViolation)) throw error;
    throw taken();
  }
}

/** One answer for every reason: who asks does not learn which names are reserved or were given up. */
function taken(): Refusal {
  return new Refusal("nickname_taken", { field: "nickname" });
}
