/**
 * The content security policy of a page.
 * @param connections addresses scripts may call, besides this site; only their origins count.
 * @param development `next dev` evaluates scripts, injects styles and keeps a socket open.
 */
export function contentSecurityPolicy(
  nonce: string,
  connections: readonly string[],
  development: boolean,
): string {
  const origins = [...new Set(connections.map((address) => new URL(address).origin))];
  const directives = {
    "default-src": "'self'",
    "script-src": `'self' 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ""}`,
    "style-src": development ? "'self' 'unsafe-inline'" : `'self' 'nonce-${nonce}'`,
    "img-src": "'self' https: data: blob:",
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
