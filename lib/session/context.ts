import type { Context, MemberContext } from "@/lib/context";
import type { RelayTies } from "./relay/ties";
import type { SessionTokens } from "./tokens";

/** What a handler may do to the caller's session; `endpoint()` turns it into cookies. */
export interface SessionEffects {
  /** Browser and system of the client, as far as it says. */
  readonly client: string;
  /** Signs tokens. They are valid only with their row: `beginSession` and `renewSession` (sessions.ts) call this. */
  readonly tokens: Pick<SessionTokens, "issue" | "sign">;
  /** Whether the caller named a bearer token; a browser sends a cookie. */
  readonly bearer: boolean;
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
