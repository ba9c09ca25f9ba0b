import { sessionSeconds } from "./tokens";

/** Name of the session cookie (spec/community-api.md, "Authentication"). */
export const sessionCookieName = "zk-community-session";

/** Returns the attributes of the session cookie, in the form of next-auth's options. */
export function sessionCookieOptions(secure: boolean) {
  return { httpOnly: true, sameSite: "lax", path: "/", secure, maxAge: sessionSeconds } as const;
}

/** Returns a set-cookie header that starts (token) or ends (null) a session in the browser. */
export function sessionCookie(token: string | null, secure: boolean): string {
  const maxAge = token === null ? 0 : sessionSeconds;
  return setCookieHeader(`${sessionCookieName}=${token ?? ""}`, { path: "/", secure, maxAge });
}

/** Returns a set-cookie header for a cookie that scripts cannot read and other sites do not send. */
export function setCookieHeader(
  pair: string,
  { path, secure, maxAge }: { readonly path: string; readonly secure: boolean; readonly maxAge: number },
): string {
  return [
    pair,
    `Path=${path}`,
    "HttpOnly",
    "SameSite=Lax",
    ...(secure ? ["Secure"] : []),
    `Max-Age=${maxAge}`,
  ].join("; ");
}

/** Returns the session token in a cookie header, or null. */
export function readSessionCookie(header: string | null): string | null {
  return readCookie(header, sessionCookieName);
}

/** Returns the first cookie of this name (that of the longest path, RFC 6265, 5.4); null for none or an empty one. */
export function readCookie(header: string | null, name: string): string | null {
  for (const pair of header?.split(";") ?? []) {
    const at = pair.indexOf("=");
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim() || null;
  }
  return null;
}
