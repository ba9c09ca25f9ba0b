import type { contract, HandlerInput } from "@/lib/contract";
import { Refusal } from "@/lib/errors";
import type { MemberSessionContext } from "./context";
import { renewSession } from "./sessions";
import { nicknameKey } from "./users";

/** SQLSTATE unique_violation. */
const uniqueViolation = "23505";

/**
 * Chooses or changes the caller's nickname and reissues the session under it, as `refreshSession` does. The unique key
 * on the lower-cased name decides between callers who want the same one.
 * @throws Refusal nickname_taken
 */
export async function setNickname(
  ctx: MemberSessionContext,
  { nickname }: HandlerInput<typeof contract.profile.setNickname>,
) {
  const { userId } = ctx.caller;
  try {
    const { token } = await ctx.db.transaction().execute(async (trx) => {
      await trx
        .updateTable("users")
        .set({ nickname, nickname_key: nicknameKey(nickname), nickname_set: true })
        .where("id", "=", userId)
        .execute();
      return await renewSession(trx, ctx, nickname);
    });
    ctx.live.tell({ kind: "access", userId });
    ctx.session.give(token);
    return { nickname, ...(ctx.session.bearer && { token }) };
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === uniqueViolation)) throw error;
    throw new Refusal("nickname_taken", `Somebody else is called ${nickname}.`, { field: "nickname" });
  }
}
