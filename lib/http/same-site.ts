import { Refusal } from "@/lib/errors";
import type { Incoming } from "./incoming";

/** Methods that change nothing (RFC 9110, 9.2.1). */
const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Refuses state changes that another site made a browser send (CSRF). A request with an Authorization header is
 * exempt: no site can make a browser attach one. All others are checked, even without a session cookie, since a
 * cross-site sign-in would put a visitor into someone else's account.
 *
 * Browsers send Origin with every POST, and pages cannot forge it or Sec-Fetch-Site. A client that sends neither is
 * not a browser, so no user's cookies are at stake.
 * @throws Refusal cross_site
 */
export function assertSameSite(incoming: Pick<Incoming, "headers" | "method">, appUrl: string): void {
  const { headers, method } = incoming;
  if (SAFE_METHODS.has(method) || headers.has("authorization")) return;
  const site = headers.get("sec-fetch-site");
  const origin = headers.get("origin");
  const fromHere =
    (site === null || site === "same-origin" || site === "none") &&
    (origin === null || isOurs(origin, appUrl));
  if (!fromHere) throw new Refusal("cross_site");
}

/**
 * Returns whether an origin is ours: the configured one; in development, if that is a loopback name, any loopback
 * name at its port. Never the request's host: with DNS rebinding a foreign site's name points at this machine.
 */
function isOurs(origin: string, appUrl: string): boolean {
  if (!URL.canParse(origin)) return false;
  const [given, own] = [new URL(origin), new URL(appUrl)];
  if (given.origin === own.origin) return true;
  return isLoopback(own) && isLoopback(given) && given.port === own.port;
}

function isLoopback({ hostname }: URL): boolean {
  return ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
}
