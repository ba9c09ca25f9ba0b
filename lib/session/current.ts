import type { MemberSessionContext, SessionContext } from "./context";
import { renewSession } from "./sessions";

/** Who the caller is. */
export function describeSession({ caller }: SessionContext) {
  if (!caller) return { authenticated: false } as const;
  const { userId, nickname, verifiedAt, isAdmin } = caller;
  return { userId, nickname, verifiedAt, ...(isAdmin && { role: "admin" as const }) };
}

/** Ends the session the request carries, if it carries one. */
export async function signOut({ caller, db, live, session }: SessionContext) {
  if (caller) {
    await db.deleteFrom("sessions").where("id", "=", caller.session.id).execute();
    live.publish({ kind: "access", userId: caller.userId });
  }
  session.clear();
  return { success: true } as const;
}

/**
 * A fresh token for the old one, which stays good for a minute. A browser gets it as a cookie alone: in the body, any
 * script of the page could read what the cookie hides.
 */
export async function refreshSession(ctx: MemberSessionContext) {
  const { session, caller, live } = ctx;
  const { userId, nickname } = caller;
  const { token, claims } = await renewSession(ctx.db, ctx, nickname);
  live.publish({ kind: "access", userId });
  session.give(token);
  const expiresAt = new Date(claims.exp * 1000).toISOString();
  return { ...(session.bearer && { token }), userId, nickname, expiresAt };
}
