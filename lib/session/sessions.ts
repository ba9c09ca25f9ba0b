import type { Db, Trx } from "@/db/schema";
import type { MemberContext } from "@/lib/context";
import type { contract, HandlerInput } from "@/lib/contract";
import { Refusal } from "@/lib/errors";
import { automationsOf } from "./automation";
import type { MemberSessionContext, SessionContext } from "./context";
import { type IssuedSession, type SessionSubject, unixSeconds } from "./tokens";

/** How far `lastSeenAt` may be behind: not every request should cost a write. */
export const seenEverySeconds = 5 * 60;

/** Sessions in the list; more can only be ended together. */
const MAX_LISTED = 100;

/**
 * How long a replaced token stays valid. Requests in flight succeed, and a client that lost the response with the new
 * token can ask again; otherwise a lost response would cost a new proof.
 */
const SUPERSEDED_MS = 60_000;

/** Returns the time at or before which a replaced token is no longer valid. */
export function supersededSince(now: Date): Date {
  return new Date(now.getTime() - SUPERSEDED_MS);
}

/**
 * Begins a session: a token, and the row that makes it valid. Hand out the token (`session.setToken`) once the row is
 * committed.
 */
export async function beginSession(
  db: Db | Trx,
  { session, now }: Pick<SessionContext, "session" | "now">,
  subject: SessionSubject,
): Promise<IssuedSession> {
  const at = now();
  const provenAt = new Date(subject.verifiedAt);
  const issued = await session.tokens.issue(subject, at, provenAt);
  await db
    .insertInto("sessions")
    .values({
      jti: issued.claims.jti,
      user_id: subject.userId,
      label: session.client,
      created_at: at,
      last_seen_at: at,
      proven_at: provenAt,
      expires_at: new Date(issued.claims.exp * 1000),
    })
    .execute();
  return issued;
}

/**
 * Gives the caller's session a new token. Of several calls with one token, one renews it; for one minute the others
 * get the same new token, so that one token never becomes two.
 * @throws Refusal not_authenticated if the session has ended, or the token was replaced too long ago
 */
export async function renewSession(
  db: Db | Trx,
  { session: { tokens }, now, caller }: Pick<MemberSessionContext, "session" | "now" | "caller">,
  nickname: string,
): Promise<IssuedSession> {
  const { userId, verifiedAt, session } = caller;
  const subject = { userId, nickname, verifiedAt };
  const at = now();
  const issued = await tokens.issue(subject, at, session.provenAt);
  const renewed = await db
    .updateTable("sessions")
    .set({
      jti: issued.claims.jti,
      previous_jti: session.jti,
      renewed_at: at,
      last_seen_at: at,
      expires_at: new Date(issued.claims.exp * 1000),
    })
    .where("id", "=", session.id)
    .where("jti", "=", session.jti)
    .returning("id")
    .executeTakeFirst();
  if (renewed) return issued;
  const successor = await db
    .selectFrom("sessions")
    .select(["jti", "renewed_at", "expires_at"])
    .where("id", "=", session.id)
    .where("previous_jti", "=", session.jti)
    .where("renewed_at", ">", supersededSince(at))
    .executeTakeFirst();
  if (!successor?.renewed_at) {
    throw new Refusal("not_authenticated", { message: "This session was already renewed or has ended." });
  }
  const claims = {
    ...subject,
    jti: successor.jti,
    iat: unixSeconds(successor.renewed_at),
    exp: unixSeconds(successor.expires_at),
  };
  return { token: await tokens.sign(claims), claims };
}

/** GET /api/auth/sessions */
export async function listSessions({ caller, db, now }: MemberContext) {
  const rows = await db
    .selectFrom("sessions as s")
    .leftJoin("automation_tokens as a", "a.session_id", "s.id")
    .where("a.session_id", "is", null)
    .select(["s.id", "s.label", "s.created_at", "s.last_seen_at", "s.expires_at"])
    .where("s.user_id", "=", caller.userId)
    .where("s.expires_at", ">", now())
    .orderBy("s.created_at", "desc")
    .orderBy("s.id")
    .limit(MAX_LISTED)
    .execute();
  return {
    sessions: rows.map((row) => ({
      id: row.id,
      label: row.label,
      createdAt: row.created_at.toISOString(),
      lastSeenAt: row.last_seen_at.toISOString(),
      expiresAt: row.expires_at.toISOString(),
      isCurrent: row.id === caller.session.id,
    })),
  };
}

/** DELETE /api/auth/sessions/{sessionId}; one's own is a logout. @throws Refusal session_not_found */
export async function endSession(
  { caller, db, live, session }: MemberSessionContext,
  { sessionId }: HandlerInput<typeof contract.auth.endSession>,
) {
  const ended = await db
    .deleteFrom("sessions")
    .where("id", "=", sessionId)
    .where("user_id", "=", caller.userId)
    .returning("id")
    .executeTakeFirst();
  if (!ended) throw new Refusal("session_not_found");
  live.publish({ kind: "access", userId: caller.userId });
  if (ended.id === caller.session.id) session.clear();
  return { success: true } as const;
}

/** DELETE /api/auth/sessions */
export async function endOtherSessions({ caller, db, live }: MemberSessionContext) {
  const { numDeletedRows } = await db
    .deleteFrom("sessions")
    .where("user_id", "=", caller.userId)
    .where("id", "!=", caller.session.id)
    .executeTakeFirst();
  live.publish({ kind: "access", userId: caller.userId });
  return { success: true, ended: Number(numDeletedRows) } as const;
}

/** GET /api/auth/session */
export async function describeSession({ caller, db, now }: SessionContext) {
  if (!caller) return { authenticated: false } as const;
  const { userId, nickname, verifiedAt, operator, automation } = caller;
  const [token] = automation ? await automationsOf(db, userId, now(), automation.id) : [];
  return {
    userId,
    nickname,
    verifiedAt,
    ...(operator === "operator" && { role: "admin" as const }),
    ...(operator && { operator }),
    ...(token && { automation: token }),
  };
}

/** Ends the session of the request, if any. */
export async function signOut({ caller, db, live, session }: SessionContext) {
  if (caller) {
    await db.deleteFrom("sessions").where("id", "=", caller.session.id).execute();
    live.publish({ kind: "access", userId: caller.userId });
  }
  session.clear();
  return { success: true } as const;
}

/**
 * Exchanges the token for a new one; the old one stays valid for a minute. A browser gets the new one only as a
 * cookie: in the body, any script of the page could read it.
 */
export async function refreshSession(ctx: MemberSessionContext) {
  const { session, caller, live } = ctx;
  const { userId, nickname } = caller;
  const { token, claims } = await renewSession(ctx.db, ctx, nickname);
  live.publish({ kind: "access", userId });
  session.setToken(token);
  const expiresAt = new Date(claims.exp * 1000).toISOString();
  return { ...(session.bearer && { token }), userId, nickname, expiresAt };
}
