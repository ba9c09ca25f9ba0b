import type { NextAuthOptions } from "next-auth";
import type { Caller } from "@/lib/context/caller";
import type { Services } from "@/lib/runtime/assemble";
import { callerOfClaims } from "@/lib/session/caller";
import { sessionCookieName, sessionCookieOptions } from "@/lib/session/cookie";
import { claimsSchema, sessionSeconds } from "@/lib/session/tokens";

declare module "next-auth" {
  interface Session {
    /** Who the session stands for; null when it was ended or its user is gone. */
    caller: Caller | null;
  }
}

/**
 * next-auth carries the session for server components (`getServerSession`): its cookie is our cookie, and its encode
 * and decode are our tokens, so that one HS256 token serves as cookie and as bearer.
 *
 * It has no provider and no route of its own: next-auth's callback route would be a second way in beside
 * POST /api/auth/verify/ai, with other limits and without the documented errors. `getServerSession` needs neither.
 */
export function authOptions(services: Services): NextAuthOptions {
  const { tokens, config, deployment } = services;
  return {
    providers: [],
    secret: Buffer.from(config.sessionSecret).toString("base64"),
    session: { strategy: "jwt", maxAge: sessionSeconds },
    jwt: {
      // next-auth falls back to its own 30 days without it.
      maxAge: sessionSeconds,
      encode: async ({ token }) => await tokens.sign(claimsSchema.parse(token)),
      decode: async ({ token }) => {
        const claims = token ? await tokens.read(token) : null;
        return claims && { ...claims };
      },
    },
    cookies: {
      sessionToken: {
        name: sessionCookieName,
        options: sessionCookieOptions(deployment.services.appUrl.startsWith("https:")),
      },
    },
    callbacks: {
      async session({ session, token }) {
        const claims = claimsSchema.safeParse(token);
        return { ...session, caller: claims.success ? await callerOfClaims(claims.data, services) : null };
      },
    },
    // It reports every unreadable cookie as an error with a stack; such a visitor is simply a guest.
    logger: { error() {}, warn() {}, debug() {} },
  };
}
