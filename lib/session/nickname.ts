import type { contract, HandlerInput } from "@/lib/contract";
import { Refusal } from "@/lib/errors";
import type { MemberSessionContext } from "./context";
import { revokeSession } from "./revocation";
import { nicknameKey } from "./users";

/** SQLSTATE unique_violation. */
const uniqueViolation = "23505";

/**
 * Chooses or changes the caller's nickname and reissues the session under it; the old token ends. The unique key on
 * the lower-cased name decides between callers who want the same one.
 * @throws Refusal nickname_taken
 */
export async function setNickname(
  { caller, db, session, now }: MemberSessionContext,
  { nickname }: HandlerInput<typeof contract.profile.setNickname>,
) {
  const { userId, verifiedAt, jti } = caller;
  try {
    await db.transaction().execute(async (trx) => {
      await trx
        .updateTable("users")
        .set({ nickname, nickname_key: nicknameKey(nickname), nickname_set: true })
        .where("id", "=", userId)
        .execute();
      if (!(await revokeSession(trx, jti, now()))) {
        throw new Refusal("not_authenticated", "This session has been refreshed or ended already.");
      }
    });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === uniqueViolation)) throw error;
    throw new Refusal("nickname_taken", `Somebody else is called ${nickname}.`, { field: "nickname" });
  }
  const { token } = await session.start({ userId, nickname, verifiedAt });
  return { nickname, token };
}
