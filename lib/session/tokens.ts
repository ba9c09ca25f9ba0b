import { createHmac, randomUUID } from "node:crypto";
import { decodeProtectedHeader, errors, jwtVerify, SignJWT } from "jose";
import { LRUCache } from "lru-cache";
import { z } from "zod";
import { LIMITS } from "@/lib/contract/limits";
import type { RotatingSecrets } from "@/lib/settings/keys";

/** How long a session lasts without renewal (design/api.md, "Sessions and login"). */
export const sessionSeconds = LIMITS.days.sessionUnused * 24 * 60 * 60;
/** How long a session lasts after its proof was verified, however often it is renewed. */
const PROVEN_SECONDS = LIMITS.days.session * 24 * 60 * 60;

/** Explicit typing (RFC 8725, 3.11): a token made for another purpose with the same key is not a session. */
const TOKEN_TYPE = "session+jwt";
const TOKEN_ISSUER = "parley";
const ALGORITHM = "HS256";
/** Ours have about 400 characters; longer tokens are not even hashed. */
const MAX_TOKEN_LENGTH = 4096;
/** Tokens of members who are active at the same time; about 1 KB each. */
const MAX_VERIFIED = 5_000;

export const claimsSchema = z.object({
  userId: z.string().min(1),
  nickname: z.string(),
  /** Unix time in milliseconds when the proof was verified. */
  verifiedAt: z.number(),
  jti: z.string().min(1),
  /** Seconds. */
  iat: z.number(),
  exp: z.number(),
});
export type SessionClaims = z.infer<typeof claimsSchema>;

/** Returns Unix time in whole seconds, as in tokens. */
export function unixSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}

/** What a session says about its user. */
export type SessionSubject = Pick<SessionClaims, "userId" | "nickname" | "verifiedAt">;

export interface IssuedSession {
  readonly token: string;
  readonly claims: SessionClaims;
}

export interface SessionTokens {
  /**
   * @param at time of issue, by default now
   * @param provenAt when the sign-in's proof was verified, which bounds the token's lifetime; by default `at`
   */
  issue(subject: SessionSubject, at?: Date, provenAt?: Date): Promise<IssuedSession>;
  /** Signs exactly these claims (next-auth passes back what it decoded). */
  sign(claims: SessionClaims): Promise<string>;
  /** Returns the claims, or null for a foreign, not yet valid or expired token. Does not check for revocation. */
  read(token: string): Promise<SessionClaims | null>;
}

export interface TokenOptions {
  /** Each of at least 32 bytes. */
  readonly secrets: RotatingSecrets;
  /** The community's scope, so that two communities that share a secret by mistake do not share sessions. */
  readonly audience: string;
  readonly now: () => Date;
}

/** Returns the name of a secret in tokens. It reveals nothing of the secret. */
function keyIdOf(secret: Uint8Array): string {
  return createHmac("sha256", secret).update("parley session key id").digest("base64url").slice(0, 11);
}

/**
 * Creates session tokens: HS256 JWTs, the same as cookie and as bearer token. Each names its secret, so that it is checked
 * with that one only; those of releases up to 0.2.0 name none.
 */
export function createSessionTokens({ secrets, audience, now }: TokenOptions): SessionTokens {
  const [secret] = secrets;
  const kid = keyIdOf(secret);
  const keys = secrets.map((each) => ({ kid: keyIdOf(each), secret: each }));

  /** @throws JOSEError, TypeError */
  async function verify(token: string): Promise<unknown> {
    const named = decodeProtectedHeader(token).kid;
    let failed: unknown = new errors.JWSSignatureVerificationFailed();
    for (const key of keys) {
      if (named !== undefined && named !== key.kid) continue;
      try {
        const { payload } = await jwtVerify(token, key.secret, {
          // Pinned: a token that names another algorithm, or "none", is refused before any key is used.
          algorithms: [ALGORITHM],
          typ: TOKEN_TYPE,
          issuer: TOKEN_ISSUER,
          audience,
          currentDate: now(),
          requiredClaims: ["jti", "iat", "exp"],
        });
        return payload;
      } catch (error) {
        failed = error;
      }
    }
    throw failed;
  }

  async function sign({ userId, nickname, verifiedAt, jti, iat, exp }: SessionClaims): Promise<string> {
    return await new SignJWT({ userId, nickname, verifiedAt })
      .setProtectedHeader({ alg: ALGORITHM, typ: TOKEN_TYPE, kid })
      .setIssuer(TOKEN_ISSUER)
      .setAudience(audience)
      .setJti(jti)
      .setIssuedAt(iat)
      .setExpirationTime(exp)
      .sign(secret);
  }
  /** Claims by token whose signature was verified: a member sends the same token with every request. */
  const verified = new LRUCache<string, SessionClaims>({ max: MAX_VERIFIED });
  return {
    sign,
    async issue(subject, at = now(), provenAt = at) {
      const iat = unixSeconds(at);
      const exp = Math.min(iat + sessionSeconds, unixSeconds(provenAt) + PROVEN_SECONDS);
      const claims = { ...subject, jti: randomUUID(), iat, exp };
      return { token: await sign(claims), claims };
    },
    async read(token) {
      if (token.length > MAX_TOKEN_LENGTH) return null;
      const known = verified.get(token);
      if (known) return known.exp > unixSeconds(now()) ? { ...known } : null;
      try {
        const claims = claimsSchema.parse(await verify(token));
        verified.set(token, claims);
        return { ...claims };
      } catch (error) {
        if (error instanceof errors.JOSEError || error instanceof z.ZodError) return null;
        // jose throws TypeError for some malformed tokens (such as a header that is not JSON).
        if (error instanceof TypeError) return null;
        throw error;
      }
    },
  };
}
