import type { Db } from "@/db/schema";
import type { Caller, Context } from "@/lib/context";
import { Refusal } from "@/lib/errors";
import { compiledQuery, type PlaceOf } from "@/lib/sql/compiled";
import { isActive } from "./active";
import { digestOfToken, isAutomationToken } from "./automation-token";
import { readSessionCookie } from "./cookie";
import { seenEverySeconds, supersededSince } from "./sessions";
import type { SessionClaims, SessionTokens } from "./tokens";

export interface CallerSources {
  readonly db: Db;
  readonly tokens: SessionTokens;
  /** Operators by ADMIN_USER_IDS. */
  readonly adminUserIds: ReadonlySet<string>;
  /** Where whom a suspended user can write to is set. */
  readonly config: { readonly appealAddress: string | undefined };
  readonly now: () => Date;
  readonly later: Context["later"];
}

/** The session token of a request, and where it came from. */
export interface Credentials {
  readonly token: string | null;
  readonly from: "bearer" | "cookie" | "nowhere";
}

/** Returns a request's session token: that of an Authorization header, even an invalid one, else the cookie's. */
export function credentialsOf(headers: Pick<Headers, "get">): Credentials {
  const header = headers.get("authorization");
  if (header !== null) {
    // The token68 alphabet (RFC 6750, 2.1).
    const match = /^Bearer +([A-Za-z0-9._~+/=-]{1,4096})$/i.exec(header.trim());
    return { token: match?.[1] ?? "", from: "bearer" };
  }
  const cookie = readSessionCookie(headers.get("cookie"));
  return cookie === null ? { token: null, from: "nowhere" } : { token: cookie, from: "cookie" };
}

/**
 * Returns the caller, or null for a guest.
 * @throws Refusal not_authenticated for a token that is malformed, foreign, expired, revoked, or of a deleted user;
 * suspended for a suspended user, with why, until when, and whom to write to
 */
export async function callerFrom(
  headers: Pick<Headers, "get">,
  sources: CallerSources,
): Promise<Caller | null> {
  const { token } = credentialsOf(headers);
  if (token === null) return null;
  const known = isAutomationToken(token)
    ? await identifyAutomation(token, sources)
    : await identifyToken(token, sources);
  if (!known)
    throw new Refusal("not_authenticated", { message: "Your session is no longer valid. Sign in again." });
  if (known.suspension) {
    const { appealAddress: appeal } = sources.config;
    throw new Refusal("suspended", { extra: { ...known.suspension, ...(appeal && { appeal }) } });
  }
  return known.caller;
}

/** Returns the caller of a token's claims, or null if the session has ended or its user is suspended. */
export async function callerOfClaims(claims: SessionClaims, sources: CallerSources): Promise<Caller | null> {
  const known = await identify(claims, sources);
  return known && !known.suspension ? known.caller : null;
}

/** Active sessions with their users. */
function activeSessions(db: Db, value: PlaceOf<{ at: Date }>) {
  return db
    .selectFrom("sessions as s")
    .innerJoin("users as u", "u.id", "s.user_id")
    .leftJoin("operators as o", "o.user_id", "s.user_id")
    .select(["u.nickname", "u.nickname_set", "s.id", "s.last_seen_at", "s.proven_at"])
    .leftJoin("account_sanctions as z", (join) =>
      join
        .onRef("z.identity_hash", "=", "u.identity_hash")
        .on("z.kind", "=", "suspend")
        .on((eb) => eb.or([eb("z.until", "is", null), eb("z.until", ">", value("at"))])),
    )
    .select(["o.role as operator_role", "z.reason as suspended_for", "z.until as suspended_until"])
    .where("s.expires_at", ">", value("at"))
    .where("u.deleted_at", "is", null);
}

/** The active session of a token. */
const activeSession = compiledQuery(
  (db: Db, value: PlaceOf<{ jti: string; userId: string; at: Date; superseded: Date }>) =>
    activeSessions(db, value)
      .where((eb) =>
        eb.or([
          eb("s.jti", "=", value("jti")),
          eb.and([eb("s.previous_jti", "=", value("jti")), eb("s.renewed_at", ">", value("superseded"))]),
        ]),
      )
      .where("s.user_id", "=", value("userId"))
      .compile(),
);

/** The active session of a token for automation. */
const activeAutomation = compiledQuery((db: Db, value: PlaceOf<{ jti: string; at: Date }>) =>
  activeSessions(db, value)
    .innerJoin("automation_tokens as a", "a.session_id", "s.id")
    .select(["s.user_id", "s.created_at", "a.name", "a.scopes", "a.topic_ids", "a.spend_cap", "a.spent"])
    .where("s.jti", "=", value("jti"))
    .compile(),
);

/** Why and until when a user is suspended. */
interface Suspension {
  readonly reason: string;
  readonly until: string | null;
}

/** Who sent a request, and whether they may do anything at all. */
interface Known {
  readonly caller: Caller;
  readonly suspension: Suspension | null;
}

async function identifyToken(token: string, sources: CallerSources): Promise<Known | null> {
  const claims = await sources.tokens.read(token);
  return claims && (await identify(claims, sources));
}

/** Returns the user of a token for automation. */
async function identifyAutomation(token: string, sources: CallerSources): Promise<Known | null> {
  const at = sources.now();
  const jti = digestOfToken(token);
  const [row] = await activeAutomation(sources.db, { jti, at });
  if (!row) return null;
  const { id, name, scopes, topic_ids: topicIds, spend_cap: spendCap, spent } = row;
  return knownFrom(row, sources, {
    ...{ userId: row.user_id, jti, issuedAt: row.created_at, at, verifiedAt: row.proven_at.getTime() },
    automation: { id, name, scopes, topicIds, spendCap, spent },
  });
}

/**
 * Returns the user of a token's claims. A token may be outdated, so one query checks that the session is active and
 * the user exists, and reads the nickname, the role and a suspension. For one minute the previous token counts too: the
 * response with the new one may still be on its way, or lost. The session's last use is recorded at most every five
 * minutes.
 */
async function identify(claims: SessionClaims, sources: CallerSources): Promise<Known | null> {
  const at = sources.now();
  const { jti, userId, verifiedAt } = claims;
  const [row] = await activeSession(sources.db, { jti, userId, at, superseded: supersededSince(at) });
  if (!row) return null;
  const issuedAt = new Date(claims.iat * 1000);
  return knownFrom(row, sources, { userId, jti, issuedAt, at, verifiedAt, automation: null });
}

type SessionRow = Awaited<ReturnType<typeof activeSession>>[number];

/** Returns the caller of a session, whose use it notes. */
function knownFrom(
  row: SessionRow,
  { db, adminUserIds, later }: CallerSources,
  {
    jti,
    issuedAt,
    ...known
  }: Pick<Caller, "userId" | "at" | "verifiedAt" | "automation"> & { jti: string; issuedAt: Date },
): Known {
  const { at, userId } = known;
  const due = new Date(at.getTime() - seenEverySeconds * 1000);
  if (row.last_seen_at < due) {
    later("session seen", async () => {
      await db
        .updateTable("sessions")
        .set({ last_seen_at: at })
        .where("id", "=", row.id)
        .where("last_seen_at", "<", due)
        .execute();
    });
  }
  const caller: Caller = {
    ...known,
    nickname: row.nickname,
    nicknameSet: row.nickname_set,
    operator: adminUserIds.has(userId) ? "operator" : row.operator_role,
    session: { id: row.id, jti, issuedAt, provenAt: row.proven_at },
  };
  const suspension = row.suspended_for !== null && {
    reason: row.suspended_for,
    until: row.suspended_until?.toISOString() ?? null,
  };
  return { caller, suspension: suspension || null };
}

/**
 * Returns a user as the caller of what they asked for earlier, such as a post that is published at its time; null if
 * they are suspended or gone. They have no session, so nothing of theirs counts as proven just now.
 */
export async function absentCaller(
  { db, adminUserIds, now }: Pick<CallerSources, "db" | "adminUserIds" | "now">,
  userId: string,
): Promise<Caller | null> {
  const at = now();
  const row = await db
    .selectFrom("users as u")
    .leftJoin("operators as o", "o.user_id", "u.id")
    .select(["u.nickname", "u.nickname_set", "o.role"])
    .where("u.id", "=", userId)
    .where(isActive(at))
    .executeTakeFirst();
  if (!row) return null;
  const never = new Date(0);
  return {
    userId,
    nickname: row.nickname,
    nicknameSet: row.nickname_set,
    verifiedAt: 0,
    at,
    operator: adminUserIds.has(userId) ? "operator" : row.role,
    session: { id: "", jti: "", issuedAt: never, provenAt: never },
    automation: null,
  };
}
