import { pathHere } from "@/lib/client/places";
import { contract } from "@/lib/contract";
import type { RateLimit } from "@/lib/rate-limit";
import type { Services } from "@/lib/runtime/assemble";
import { readSessionCookie } from "@/lib/session/cookie";
import type { HeaderReader } from "./incoming";
import { countRequest, RateLimited } from "./rate-limit";
import { type Reply, requestIdOf } from "./reply";
import { noteRefusal } from "./security-events";

/** Page requests one user, or one guest address, may make. */
const pages = { id: "pages", limit: { points: 600, seconds: 60 } };
/** Requests of Next's link prefetching, many for every page view. */
const ahead = { id: "pages.ahead", limit: { points: 1_800, seconds: 60 } };

/**
 * Pages, by their path and where they lead on, that do the same as an operation also count as that operation, so that a
 * page cannot bypass its limit.
 */
const alsoOperations: readonly (readonly [RegExp, RateLimit])[] = [
  [/^\/invite\/./, contract.topics.joinByInvite],
  // Sign-in names the topic that an invite leads to.
  [/^\/sign-in\/? \/invite\/./, contract.topics.joinByInvite],
  [/^\/search\/? /, contract.search.all],
];

/**
 * Counts a request for a page before anything is rendered.
 * @returns 429 as plain text when there were too many requests, else null
 */
export async function limitPage(
  { pathname, search }: Pick<URL, "pathname" | "search">,
  headers: HeaderReader,
  services: Pick<Services, "cache" | "config" | "limiter" | "tokens" | "now">,
): Promise<Reply | null> {
  const { config, tokens } = services;
  if (!config.rateLimits) return null;
  const token = readSessionCookie(headers.get("cookie"));
  // It does not matter here whether the session has ended: its token identifies one person.
  const claims = token ? await tokens.read(token) : null;
  const limits = headers.has("next-router-prefetch") ? [ahead] : [pages];
  const asked = `${pathname} ${pathHere(new URLSearchParams(search).get("next")) ?? ""}`;
  const more = alsoOperations.filter(([form]) => form.test(asked)).map(([, limit]) => limit);
  try {
    for (const limit of [...limits, ...more]) await countRequest(services, limit, headers, claims?.userId);
    return null;
  } catch (error) {
    if (!(error instanceof RateLimited)) throw error;
    const requestId = requestIdOf(headers);
    const op = { ...pages, method: "GET", access: "anyone", auth: "optional" } as const;
    await noteRefusal({ op, incoming: { headers }, requestId, services }, error);
    const { retryAfter = 1 } = error.details;
    return {
      status: 429,
      headers: new Headers({
        ...error.headers,
        "retry-after": String(retryAfter),
        "content-type": "text/plain; charset=utf-8",
        "cache-control": "no-store",
        "content-security-policy": "default-src 'none'",
        "x-request-id": requestId,
      }),
      body: `Too many requests. Try again in ${retryAfter} s.\n`,
    };
  }
}
