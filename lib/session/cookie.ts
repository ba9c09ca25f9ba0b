import { sessionSeconds } from "./tokens";

/** Name of the session cookie (spec/community-api.md, "Authentication"). */
export const sessionCookieName = "zk-community-session";

/** Attributes of the session cookie, as next-auth's options take them. */
export function sessionCookieOptions(secure: boolean) {
  return { httpOnly: true, sameSite: "lax", path: "/", secure, maxAge: sessionSeconds } as const;
}

/** A set-cookie header value that starts (token) or ends (null) a session in the browser. */
export function sessionCookie(token: string | null, secure: boolean): string {
  const life = token === null ? 0 : sessionSeconds;
  const attributes = [`${sessionCookieName}=${token ?? ""}`, "Path=/", "HttpOnly", "SameSite=Lax"];
  if (secure) attributes.push("Secure");
  attributes.push(`Max-Age=${life}`);
  return attributes.join("; ");
}

/** The session token in a cookie header, or null. An empty value counts as none. */
export function readSessionCookie(header: string | null): string | null {
  for (const pair of header?.split(";") ?? []) {
    const at = pair.indexOf("=");
    if (at > 0 && pair.slice(0, at).trim() === sessionCookieName) {
      return pair.slice(at + 1).trim() || null;
    }
  }
  return null;
}
