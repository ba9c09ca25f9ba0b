import type { Db, MemberContext, Trx } from "@/lib/community/context";
import type { contract, HandlerInput } from "@/lib/contract";
import { Refusal } from "@/lib/errors";
import type { MemberSessionContext, SessionContext } from "./context";
import type { IssuedSession, SessionSubject } from "./tokens";

/** `lastSeenAt` may be behind by as much: a request must not cost a write. */
export const seenEverySeconds = 5 * 60;

/** The list shows as many; the others can only be ended together. */
const listed = 100;

type Issuing = Pick<SessionContext, "session" | "now">;

/**
 * Begins a session: a token, and the row that makes it valid. Hand the token out (`session.give`) once the row is
 * committed.
 */
export async function beginSession(
  db: Db | Trx,
  { session, now }: Issuing,
  subject: SessionSubject,
): Promise<IssuedSession> {
  const issued = await session.issue(subject);
  const at = now();
  await db
    .insertInto("sessions")
    .values({
      jti: issued.claims.jti,
      user_id: subject.userId,
      label: session.client,
      created_at: at,
      last_seen_at: at,
      expires_at: new Date(issued.claims.exp * 1000),
    })
    .execute();
  return issued;
}

/**
 * Gives a session a new token; the old one ends in the same statement. Of many parallel calls with one token exactly
 * one succeeds: a token must not multiply.
 * @throws Refusal not_authenticated
 */
export async function renewSession(
  db: Db | Trx,
  { session, now }: Issuing,
  jti: string,
  subject: SessionSubject,
): Promise<IssuedSession> {
  const issued = await session.issue(subject);
  const renewed = await db
    .updateTable("sessions")
    .set({
      jti: issued.claims.jti,
      previous_jti: jti,
      renewed_at: now(),
      last_seen_at: now(),
      expires_at: new Date(issued.claims.exp * 1000),
    })
    .where("jti", "=", jti)
    .returning("id")
    .executeTakeFirst();
  if (!renewed) {
    throw new Refusal("not_authenticated", "This session has been refreshed or ended already.");
  }
  return issued;
}

/** GET /api/auth/sessions */
export async function listSessions({ caller, db, now }: MemberContext) {
  const rows = await db
    .selectFrom("sessions")
    .select(["id", "jti", "label", "created_at", "last_seen_at", "expires_at"])
    .where("user_id", "=", caller.userId)
    .where("expires_at", ">", now())
    .orderBy("created_at", "desc")
    .orderBy("id")
    .limit(listed)
    .execute();
  return {
    sessions: rows.map((row) => ({
      id: row.id,
      label: row.label,
      createdAt: row.created_at.toISOString(),
      lastSeenAt: row.last_seen_at.toISOString(),
      expiresAt: row.expires_at.toISOString(),
      isCurrent: row.jti === caller.jti,
    })),
  };
}

/**
 * DELETE /api/auth/sessions/{sessionId}; ending the own one is a logout.
 * @throws Refusal session_not_found
 */
export async function endSession(
  { caller, db, live, session }: MemberSessionContext,
  { sessionId }: HandlerInput<typeof contract.auth.endSession>,
) {
  const ended = await db
    .deleteFrom("sessions")
    .where("id", "=", sessionId)
    .where("user_id", "=", caller.userId)
    .returning("jti")
    .executeTakeFirst();
  if (!ended) throw new Refusal("session_not_found", "You have no such session.");
  live.tell({ kind: "access", userId: caller.userId });
  if (ended.jti === caller.jti) session.clear();
  return { success: true } as const;
}

/** DELETE /api/auth/sessions */
export async function endOtherSessions({ caller, db, live }: MemberSessionContext) {
  const { numDeletedRows } = await db
    .deleteFrom("sessions")
    .where("user_id", "=", caller.userId)
    .where("jti", "!=", caller.jti)
    .executeTakeFirst();
  live.tell({ kind: "access", userId: caller.userId });
  return { success: true, ended: Number(numDeletedRows) } as const;
}
