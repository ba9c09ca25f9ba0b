import type { Context, MemberContext } from "@/lib/community/context";
import type { IssuedSession, SessionSubject } from "./tokens";

/** What a handler may do to the caller's session; `endpoint()` turns it into cookies. */
export interface SessionEffects {
  /** Signs a token for this user and puts it into the answer's cookie. */
  start(subject: SessionSubject): Promise<IssuedSession>;
  /** Removes the cookie. Revoking the token is a separate act, on the database. */
  clear(): void;
}

/** Context of operations that start, change or end sessions. */
export interface SessionContext extends Context {
  readonly session: SessionEffects;
}

export interface MemberSessionContext extends MemberContext {
  readonly session: SessionEffects;
}
