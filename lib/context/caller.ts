/** The session of a request. */
export interface CallerSession {
  readonly id: string;
  /** Id of the token that came with the request: the session's current one, or for a minute the one before it. */
  readonly jti: string;
  /** When that token was issued. */
  readonly issuedAt: Date;
  /** When the proof of the sign-in was verified. */
  readonly provenAt: Date;
}

/** The signed-in user of a request, read from the session token. */
export interface Caller {
  readonly userId: string;
  readonly nickname: string;
  /** False while the nickname is the generated anon_… one. */
  readonly nicknameSet: boolean;
  /** Unix time in milliseconds when the proof was verified. */
  readonly verifiedAt: number;
  /** Global admin, from configuration. */
  readonly isAdmin: boolean;
  readonly session: CallerSession;
}
