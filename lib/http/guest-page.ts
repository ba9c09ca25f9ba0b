import { savingHeader } from "@/lib/client/saved";
import { densityCookie, readDensity, readTheme, themeCookie } from "@/lib/client/theme";
import { noteView } from "@/lib/community";
import { chooseLocale } from "@/lib/i18n/choose";
import { localeCookie } from "@/lib/i18n/words";
import type { Services } from "@/lib/runtime/assemble";
import { readCookie, sessionCookieName } from "@/lib/session/cookie";
import type { HeaderReader } from "./incoming";

/** A page that is the same for every guest with the same language and theme. */
export interface GuestPage {
  /** Path and query. */
  readonly url: string;
  /** The reader's choices, and nothing else of the reader. */
  readonly cookie: string;
  /** The post it shows; undefined for lists. */
  readonly postId: string | undefined;
}

export interface GuestRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: HeaderReader;
}

/** The pages that are cached. A value of a query is one of a few words, such as a sort order. */
const PAGES =
  /^\/(?:topics(?:\/[0-9a-f-]{36})?|posts\/(?<postId>[0-9a-f-]{36}))?(?:\?(?:sort|view|tab)=[a-z]{2,10})?$/;
/** Headers of Next's own requests, which ask for parts of pages, and of API clients. */
const NOT_FOR_PAGES = [
  "rsc",
  "next-action",
  "next-router-prefetch",
  "next-router-state-tree",
  "authorization",
];

/** Returns the page that a request asks for; null if it asks for something else, or may come from a member. */
export function guestPageOf({ method, url, headers }: GuestRequest): GuestPage | null {
  if (method !== "GET" && method !== "HEAD") return null;
  const page = PAGES.exec(url);
  if (!page || NOT_FOR_PAGES.some((name) => headers.has(name))) return null;
  const cookies = headers.get("cookie");
  // Also the parts into which next-auth divides a long session cookie, and an empty one.
  if (cookies?.includes(sessionCookieName)) return null;
  const locale = chooseLocale(readCookie(cookies, localeCookie) ?? undefined, headers.get("accept-language"));
  const theme = readTheme(readCookie(cookies, themeCookie) ?? undefined);
  const density = readDensity(readCookie(cookies, densityCookie) ?? undefined);
  return {
    url,
    cookie: `${localeCookie}=${locale}; ${themeCookie}=${theme}; ${densityCookie}=${density}`,
    postId: page.groups?.postId,
  };
}

/** Returns whether somebody looks at the page: a prefetch or an offline copy is not a view. */
export function isView(headers: HeaderReader): boolean {
  if (headers.has(savingHeader)) return false;
  return ![headers.get("purpose"), headers.get("sec-purpose")].some((given) => given?.includes("prefetch"));
}

/** Counts a view of a page that was answered from memory. */
export function noteGuestView(
  { postId }: GuestPage,
  { method, headers }: Pick<GuestRequest, "method" | "headers">,
  services: Pick<Services, "db" | "cache" | "later">,
): void {
  if (postId && method === "GET" && isView(headers)) noteView(services, postId);
}
