import type { Context, MemberContext } from "@/lib/context";
import type { RelayTies } from "./relay/ties";
import type { SessionTokens } from "./tokens";

/** How a handler changes the caller's session; `endpoint()` turns the changes into cookies. */
export interface SessionEffects {
  /** Browser and system of the client, as far as it says. */
  readonly client: string;
  /** Signs tokens, which are valid only with their row: `beginSession` and `renewSession` (sessions.ts) insert it. */
  readonly tokens: Pick<SessionTokens, "issue" | "sign">;
  /** Whether the caller sent a bearer token instead of a cookie. */
  readonly bearer: boolean;
  /** Sets a token as the response's cookie; call it once the token's row is committed. */
  setToken(token: string): void;
  /** Deletes the cookie. Ending the session in the database is separate. */
  clear(): void;
  readonly relay: RelayTies;
}

export interface SessionContext extends Context {
  readonly session: SessionEffects;
}

export interface MemberSessionContext extends MemberContext {
  readonly session: SessionEffects;
}
