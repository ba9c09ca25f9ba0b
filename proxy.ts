import { type NextRequest, NextResponse } from "next/server";
import { makesProofs, proverCookie, readProverChoice } from "@/components/proof/prover-choice";
import { contentSecurityPolicy } from "@/components/shell/csp";
import type { Deployment } from "@/lib/proofs/deployment";
import { loadDeployment } from "@/lib/proofs/deployment.server";
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
 * Gives every page a content security policy with a nonce of its own. Next reads the nonce from the request's policy
 * and puts it on its own scripts; nothing else may run, and no style may be written inline.
 */
export function proxy(request: NextRequest) {
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
      // Static files need no policy; the API and uploads set their own headers and take bodies this layer would cut.
      source:
        "/((?!api|uploads/|proving/|cards/|sitemaps/|_next/static|_next/image|icons/|icon.svg|apple-icon.png|favicon.ico|manifest.webmanifest|robots.txt|.*\\.xml$).*)",
      missing: [
        { type: "header", key: "next-router-prefetch" },
        { type: "header", key: "purpose", value: "prefetch" },
      ],
    },
  ],
};
