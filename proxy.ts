import { type NextRequest, NextResponse } from "next/server";
import { makesProofs, proverCookie, readProverChoice } from "@/components/proof/prover-choice";
import { isForGuests } from "@/lib/http/guest-mark";
import { limitPage } from "@/lib/http/page-limits";
import { pagePolicy } from "@/lib/http/page-policy";
import { webResponse } from "@/lib/http/reply";
import { getServices } from "@/lib/runtime/services";

/**
 * Counts every page against its reader's rate limit here, because a page that is rendering can no longer return 429.
 *
 * Gives every page a content security policy with its own nonce. Next reads the nonce from the request's policy and puts
 * it on its own scripts; no other scripts and no inline styles are allowed.
 */
export async function proxy(request: NextRequest) {
  // Whoever asked for it was counted, and its policy depends on what it contains (lib/server/guest-pages.ts).
  if (isForGuests(request.headers)) return NextResponse.next();
  const services = await getServices();
  const refused = await limitPage(request.nextUrl, request.headers, services);
  if (refused) return webResponse(refused);
  // Only Next's prefetching sends this header; links and other sites cannot. A prefetch is no document and needs no policy.
  if (request.headers.has("next-router-prefetch")) return NextResponse.next();
  const nonce = crypto.randomUUID().replaceAll("-", "");
  // The member's choice of prover applies only to pages that make proofs.
  const chosen = makesProofs(request.nextUrl.pathname)
    ? readProverChoice(request.cookies.get(proverCookie)?.value)
    : null;
  const policy = pagePolicy(
    { nonce },
    {
      deployment: services.deployment,
      storageUrl: services.config.storageUrl,
      ownProver: chosen?.kind === "own" ? chosen.origin : undefined,
      development: process.env.NODE_ENV === "development",
    },
  );
  const headers = new Headers(request.headers);
  headers.set("x-nonce", nonce);
  headers.set("content-security-policy", policy);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("content-security-policy", policy);
  // WASM threads need an isolated page. Isolation breaks embedded videos, whose hosts do not opt in, so only pages that
  // make proofs ask for it, and only for members who prove in this browser. `credentialless` still loads images of the
  // bucket (without cookies); Safari does not support it and proves on one thread. It does not affect navigation to an
  // identity provider and back.
  if (chosen?.kind === "browser") response.headers.set("cross-origin-embedder-policy", "credentialless");
  return response;
}

export const config = {
  matcher: [
    {
      // Static files need no policy. The API and uploads set their own headers, and this layer would truncate their bodies.
      // Whole names only: any other path may be a page, even if only the one for 404.
      source:
        "/((?!api/|api$|cron/|oidc/|uploads/|proving/|cards/|sitemaps/|_next/static/|icons/|icon.svg$|apple-icon.png$|favicon.ico$|manifest.webmanifest$|robots.txt$|gate.js$|(?:topics/[^/]+/|feeds/[^/]+/|search/)?(?:feed|atom)\\.xml$|sitemap\\.xml$).*)",
    },
  ],
};
