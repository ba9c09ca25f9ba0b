export interface PolicySources {
  /** Addresses scripts may call, besides this site; only their origins count. */
  readonly connections: readonly string[];
  /** What addresses of pictures begin with besides this site, up to a slash; null for none. */
  readonly pictures: string | null;
  /** `next dev` evaluates scripts, injects styles and keeps a socket open. */
  readonly development: boolean;
}

/**
 * The content security policy of a page. Pictures come from this site and its bucket, whatever a post names: who places
 * one elsewhere must not learn who reads it.
 */
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
