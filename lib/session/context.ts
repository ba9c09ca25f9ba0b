import type { Context, MemberContext } from "@/lib/community/context";
import type { RelayTies } from "./relay/ties";
import type { IssuedSession, SessionSubject } from "./tokens";

/** What a handler may do to the caller's session; `endpoint()` turns it into cookies. */
export interface SessionEffects {
  /** Browser and system of the client, as far as it says. */
  readonly client: string;
  /** Signs a token. It is valid only with its row: `beginSession` and `renewSession` (sessions.ts) call this. */
  issue(subject: SessionSubject): Promise<IssuedSession>;
  /** Puts a token into the answer's cookie; once its row is committed. */
  give(token: string): void;
  /** Removes the cookie. Ending the session is a separate act, on the database. */
  clear(): void;
  /** Ties proof requests to the client that asked. */
  readonly relay: RelayTies;
}

/** Context of operations that start, change or end sessions. */
export interface SessionContext extends Context {
  readonly session: SessionEffects;
}

export interface MemberSessionContext extends MemberContext {
  readonly session: SessionEffects;
}
