import { type NextRequest, NextResponse } from "next/server";
import { makesProofs, proverCookie, readProverChoice } from "@/components/proof/prover-choice";
import { contentSecurityPolicy } from "@/components/shell/csp";
import { limitPage } from "@/lib/http/page-limits";
import type { Deployment } from "@/lib/proofs/deployment";
import { loadDeployment } from "@/lib/proofs/deployment.server";
import { getServices } from "@/lib/runtime/services";
import { bucketPrefix, uploadOrigins } from "@/lib/storage/settings";

/** Origins the browser talks to besides this site: prover, bucket of uploads, chains, attestation indexes, identity providers. */
function connections(deployment: Deployment): readonly string[] {
  const { graphqlUrl = null, explorerUrl = null } = deployment.attestations ?? {};
  return [
    deployment.services.proverUrl,
    ...uploadOrigins(process.env.STORAGE_URL),
    ...deployment.chains.map((chain) => chain.publicRpcUrl),
    ...[graphqlUrl, explorerUrl].filter((url) => url !== null),
    ...deployment.issuers.flatMap((issuer) => [issuer.authorizationEndpoint, issuer.jwksUri]),
  ];
}

/**
 * Counts every page against its reader's limit: a page that is being rendered can no longer answer 429.
 *
 * Gives every page a content security policy with a nonce of its own. Next reads the nonce from the request's policy
 * and puts it on its own scripts; nothing else may run, and no style may be written inline.
 */
export async function proxy(request: NextRequest) {
  const refused = await limitPage(request.nextUrl.pathname, request.headers, await getServices());
  if (refused) return refused;
  // Only Next's own loading ahead sends it, which no link and no other site can: no document, so no policy and no nonce.
  if (request.headers.has("next-router-prefetch")) return NextResponse.next();
  const nonce = crypto.randomUUID().replaceAll("-", "");
  // What a member chose counts on the pages that make proofs, and on no other.
  const chosen = makesProofs(request.nextUrl.pathname)
    ? readProverChoice(request.cookies.get(proverCookie)?.value)
    : null;
  const policy = contentSecurityPolicy(nonce, {
    connections: [...connections(loadDeployment()), ...(chosen?.kind === "own" ? [chosen.origin] : [])],
    pictures: bucketPrefix(process.env.STORAGE_URL),
    development: process.env.NODE_ENV === "development",
  });
  const headers = new Headers(request.headers);
  headers.set("x-nonce", nonce);
  headers.set("content-security-policy", policy);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("content-security-policy", policy);
  // Threads of WASM need a page that is isolated. Everywhere it would cost embedded videos, whose hosts do not take part;
  // so it is asked for where proofs are made, and only of those who make them here. `credentialless` leaves pictures of
  // the bucket alone (they come without cookies); Safari does not know it and proves on one thread. Going to a
  // provider and coming back are navigations, which it does not touch.
  if (chosen?.kind === "browser") response.headers.set("cross-origin-embedder-policy", "credentialless");
  return response;
}

export const config = {
  matcher: [
    {
      // Static files need no policy; the API and uploads set their own headers and take bodies this layer would cut. Whole
      // names only: whatever else is asked for may be a page, if only the one that says that there is none.
      source:
        "/((?!api/|api$|uploads/|proving/|cards/|sitemaps/|_next/static/|icons/|icon.svg$|apple-icon.png$|favicon.ico$|manifest.webmanifest$|robots.txt$|(?:topics/[^/]+/)?(?:feed|atom)\\.xml$|sitemap\\.xml$).*)",
    },
  ],
};
