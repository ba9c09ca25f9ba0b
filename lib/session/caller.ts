import type { Caller, Context, Db } from "@/lib/community/context";
import { Refusal } from "@/lib/errors";
import { readSessionCookie } from "./cookie";
import { seenEverySeconds } from "./sessions";
import type { SessionClaims, SessionTokens } from "./tokens";

export interface CallerSources {
  readonly db: Db;
  readonly tokens: SessionTokens;
  /** Global admins, from ADMIN_USER_IDS. */
  readonly adminUserIds: ReadonlySet<string>;
  readonly now: () => Date;
  readonly later: Context["later"];
}

/** Where a request carries its session. */
export interface Credentials {
  readonly token: string | null;
  readonly from: "bearer" | "cookie" | "nowhere";
}

/**
 * The session token of a request. With an Authorization header the cookie is not consulted, not even when the
 * header is useless: a client that names its credentials means those.
 */
export function credentialsOf(headers: Headers): Credentials {
  const header = headers.get("authorization");
  if (header !== null) {
    // RFC 6750, 2.1: the token68 alphabet.
    const match = /^Bearer +([A-Za-z0-9._~+/=-]{1,4096})$/i.exec(header.trim());
    return { token: match?.[1] ?? "", from: "bearer" };
  }
  const cookie = readSessionCookie(headers.get("cookie"));
  return cookie === null ? { token: null, from: "nowhere" } : { token: cookie, from: "cookie" };
}

/**
 * Who calls, or null for a guest.
 * @throws Refusal not_authenticated for a token that is malformed, foreign, expired, revoked, or of a user who is gone.
 */
export async function callerFrom(headers: Headers, sources: CallerSources): Promise<Caller | null> {
  const { token } = credentialsOf(headers);
  if (token === null) return null;
  const caller = await callerOf(token, sources);
  if (!caller) throw new Refusal("not_authenticated", "Your session is not valid any more. Sign in again.");
  return caller;
}

/** Milliseconds that a request may have been on its way while its session got another token. */
const lateMs = 60_000;

/**
 * Whether another token has just taken the place of this one in a session that goes on. A request that was on its way
 * meanwhile is refused like any other, but must not take the new token from its browser. Later than that it may: a
 * browser that never got the new token would be stuck with the old one.
 */
export async function wasReplaced(
  token: string,
  { db, tokens, now }: Pick<CallerSources, "db" | "tokens" | "now">,
): Promise<boolean> {
  const claims = await tokens.read(token);
  if (!claims) return false;
  const session = await db
    .selectFrom("sessions")
    .select("id")
    .where("previous_jti", "=", claims.jti)
    .where("renewed_at", ">", new Date(now().getTime() - lateMs))
    .where("user_id", "=", claims.userId)
    .executeTakeFirst();
  return session !== undefined;
}

/** The caller a token stands for, or null when it stands for nobody. */
export async function callerOf(token: string, sources: CallerSources): Promise<Caller | null> {
  const claims = await sources.tokens.read(token);
  return claims && (await callerOfClaims(claims, sources));
}

/**
 * Tokens outlive what they say: one query by two unique keys asks whether the session goes on and the user is still
 * there, and takes the nickname from the row. Every five minutes of use it is noted that the session is in use.
 */
export async function callerOfClaims(
  claims: SessionClaims,
  { db, adminUserIds, now, later }: CallerSources,
): Promise<Caller | null> {
  const row = await db
    .selectFrom("sessions as s")
    .innerJoin("users as u", "u.id", "s.user_id")
    .select(["u.nickname", "u.nickname_set", "s.last_seen_at"])
    .where("s.jti", "=", claims.jti)
    .where("s.user_id", "=", claims.userId)
    .where("u.deleted_at", "is", null)
    .executeTakeFirst();
  if (!row) return null;
  const at = now();
  const due = new Date(at.getTime() - seenEverySeconds * 1000);
  if (row.last_seen_at < due) {
    later("session seen", async () => {
      await db
        .updateTable("sessions")
        .set({ last_seen_at: at })
        .where("jti", "=", claims.jti)
        .where("last_seen_at", "<", due)
        .execute();
    });
  }
  return {
    userId: claims.userId,
    nickname: row.nickname,
    nicknameSet: row.nickname_set,
    verifiedAt: claims.verifiedAt,
    isAdmin: adminUserIds.has(claims.userId),
    jti: claims.jti,
  };
}
