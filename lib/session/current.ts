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
    await db.deleteFrom("sessions").where("jti", "=", caller.jti).execute();
    live.tell({ kind: "access", userId: caller.userId });
  }
  session.clear();
  return { success: true } as const;
}

/** A fresh token for the old one, which ends. */
export async function refreshSession(ctx: MemberSessionContext) {
  const { userId, nickname, verifiedAt, jti } = ctx.caller;
  const { token, claims } = await renewSession(ctx.db, ctx, jti, { userId, nickname, verifiedAt });
  ctx.live.tell({ kind: "access", userId });
  ctx.session.give(token);
  return { token, userId, nickname, expiresAt: new Date(claims.exp * 1000).toISOString() };
}
