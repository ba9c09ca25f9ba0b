import type { Deployment } from "@/lib/proofs/deployment";
import { bucketPrefix, uploadOrigins } from "@/lib/settings/storage-url";

/** The inline scripts that a page may have: those with its nonce, or those with these hashes (`sha256-…`). */
export type InlineScripts = { readonly nonce: string } | { readonly hashes: readonly string[] };

export interface PolicySources {
  readonly deployment: Deployment;
  /** STORAGE_URL, whose bucket takes uploads and serves pictures. */
  readonly storageUrl: string | undefined;
  /** Origin of the reader's own prover. */
  readonly ownProver?: string;
  /** Allows what `next dev` needs: eval, injected styles and a WebSocket. */
  readonly development: boolean;
}

/**
 * Builds the CSP of a page. Other sites' pictures do not load: they would tell those sites who reads a post. Scripts
 * may call prover, uploads, chains, attestation indexes and identity providers.
 */
export function pagePolicy(scripts: InlineScripts, sources: PolicySources): string {
  const { deployment, storageUrl, ownProver, development } = sources;
  const { graphqlUrl = null, explorerUrl = null } = deployment.attestations ?? {};
  const connections = [
    deployment.services.proverUrl,
    ...uploadOrigins(storageUrl),
    ...deployment.chains.map((chain) => chain.publicRpcUrl),
    ...[graphqlUrl, explorerUrl, ownProver ?? null].filter((url) => url !== null),
    ...deployment.issuers.flatMap((issuer) => [issuer.authorizationEndpoint, issuer.jwksUri]),
  ];
  const pictures = bucketPrefix(storageUrl);
  const origins = [...new Set(connections.map((address) => new URL(address).origin))];
  const directives = {
    "default-src": "'self'",
    "script-src": `'self' ${scriptSources(scripts)}${development ? " 'unsafe-eval'" : ""}`,
    "style-src": development ? "'self' 'unsafe-inline'" : `'self'${nonceSource(scripts)}`,
    "img-src": `'self' data: blob:${pictures ? ` ${pictures}` : ""}`,
    "font-src": "'self'",
    "connect-src": ["'self'", ...origins, ...(development ? ["ws:"] : [])].join(" "),
    "frame-src": "https://www.youtube-nocookie.com https://player.vimeo.com",
    "worker-src": "'self'",
    "frame-ancestors": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "object-src": "'none'",
  };
  return Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`)
    .join("; ");
}

/** Scripts with a nonce may load others. Those with a hash may load only this site's. */
function scriptSources(scripts: InlineScripts): string {
  if ("nonce" in scripts) return `'nonce-${scripts.nonce}' 'strict-dynamic'`;
  return scripts.hashes.map((hash) => `'${hash}'`).join(" ");
}

function nonceSource(scripts: InlineScripts): string {
  return "nonce" in scripts ? ` 'nonce-${scripts.nonce}'` : "";
}
