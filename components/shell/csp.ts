interface PolicySources {
  /** Addresses that scripts may call besides this site; only their origins matter. */
  readonly connections: readonly string[];
  /** Prefix of picture addresses besides this site, with a trailing slash; null for none. */
  readonly pictures: string | null;
  /** Allows what `next dev` needs: eval, injected styles and a WebSocket. */
  readonly development: boolean;
}

/** Builds the CSP of a page. Other sites' pictures do not load: they would tell those sites who reads a post. */
export function contentSecurityPolicy(
  nonce: string,
  { connections, pictures, development }: PolicySources,
): string {
  const origins = [...new Set(connections.map((address) => new URL(address).origin))];
  const directives = {
    "default-src": "'self'",
    "script-src": `'self' 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ""}`,
    "style-src": development ? "'self' 'unsafe-inline'" : `'self' 'nonce-${nonce}'`,
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
