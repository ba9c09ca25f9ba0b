import { getServerSession, type NextAuthOptions } from "next-auth";
import { cache } from "react";
import type { Caller, Context } from "@/lib/context";
import type { Services } from "@/lib/runtime/assemble";
import { getServices } from "@/lib/runtime/services";
import { callerOfClaims } from "@/lib/session/caller";
import { sessionCookieName, sessionCookieOptions } from "@/lib/session/cookie";
import { claimsSchema, sessionSeconds } from "@/lib/session/tokens";
import { makeContext } from "./context";

/** Returns the context of a server component, once per request; a visitor with an invalid session becomes a guest. */
export const pageContext: () => Promise<Context> = cache(async () => {
  const services = await getServices();
  const session = await getServerSession(authOptions(services));
  return makeContext(services, session?.caller ?? null);
});

declare module "next-auth" {
  interface Session {
    /** The session's user; null when the session has ended or the user is gone. */
    caller: Caller | null;
  }
}

/**
 * Options for next-auth, which reads the session in server components (`getServerSession`). Its cookie is our cookie
 * and its encode and decode use our tokens, so one HS256 token serves as cookie and as bearer token.
 *
 * It has no provider and no route: next-auth's callback route would be a second way to sign in beside POST
 * /api/auth/verify/ai, with other limits and undocumented errors. `getServerSession` needs neither.
 */
export function authOptions(services: Services): NextAuthOptions {
  const { tokens, config, deployment } = services;
  /** The tokens that claims were read from. */
  const texts = new WeakMap<object, string>();
  return {
    providers: [],
    secret: Buffer.from(config.sessionSecrets[0]).toString("base64"),
    session: { strategy: "jwt", maxAge: sessionSeconds },
    jwt: {
      // Without it, next-auth falls back to its own 30 days.
      maxAge: sessionSeconds,
      // next-auth renews the cookie whenever it reads a session, which no page can send. The same claims are the same token.
      encode: async ({ token }) =>
        (token && texts.get(token)) ?? (await tokens.sign(claimsSchema.parse(token))),
      decode: async ({ token }) => {
        const read = token ? await tokens.read(token) : null;
        if (!token || !read) return null;
        const claims = { ...read };
        texts.set(claims, token);
        return claims;
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
    // next-auth reports every unreadable cookie as an error with a stack; such a visitor is just a guest.
    logger: { error() {}, warn() {}, debug() {} },
  };
}
