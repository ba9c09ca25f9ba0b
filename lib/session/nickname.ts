import type { contract, HandlerInput } from "@/lib/contract";
import { Refusal } from "@/lib/errors";
import type { MemberSessionContext } from "./context";
import { freeNickname, isQuarantined } from "./freed-nicknames";
import { isReserved, nicknameSkeleton } from "./nickname-rules";
import { renewSession } from "./sessions";
import { nicknameKey } from "./users";

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
    ctx.live.tell({ kind: "access", userId });
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
