import { Refusal } from "@/lib/errors";
import type { MemberSessionContext, SessionContext } from "./context";
import { revokeSession } from "./revocation";

/** Who the caller is. */
export function describeSession({ caller }: SessionContext) {
  if (!caller) return { authenticated: false } as const;
  const { userId, nickname, verifiedAt, isAdmin } = caller;
  return { userId, nickname, verifiedAt, ...(isAdmin && { role: "admin" as const }) };
}

/** Ends the session the request carries, if it carries one. */
export async function signOut({ caller, db, session, now }: SessionContext) {
  if (caller) await revokeSession(db, caller.jti, now());
  session.clear();
  return { success: true } as const;
}

/**
 * A fresh token for the old one, which ends. Of many parallel calls with one token one gets a new token: a token
 * must not multiply.
 */
export async function refreshSession({ caller, db, session, now }: MemberSessionContext) {
  const { userId, nickname, verifiedAt, jti } = caller;
  if (!(await revokeSession(db, jti, now()))) {
    throw new Refusal("not_authenticated", "This session has been refreshed or ended already.");
  }
  const { token, claims } = await session.start({ userId, nickname, verifiedAt });
  return { token, userId, nickname, expiresAt: new Date(claims.exp * 1000).toISOString() };
}
