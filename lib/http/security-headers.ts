import { CEREMONY_HOSTS } from "../proofs/ceremony";

/** Headers of every response; proxy.ts sets the content security policy of pages, which needs a nonce per request. */
export const securityHeaders = [
  { key: "x-content-type-options", value: "nosniff" },
  // Paths contain invite codes: another site must not learn them from a link.
  { key: "referrer-policy", value: "strict-origin-when-cross-origin" },
  { key: "x-frame-options", value: "DENY" },
  { key: "cross-origin-opener-policy", value: "same-origin" },
  { key: "permissions-policy", value: "geolocation=(), microphone=(), payment=(), usb=()" },
] as const;

/** Header of every page, and of every path where nothing is: where a program finds the API (RFC 8631, RFC 9727). */
export const entranceLinks = {
  key: "link",
  value: [
    '</api/docs/openapi.json>; rel="service-desc"; type="application/json"',
    '</llms.txt>; rel="service-doc"; type="text/markdown"',
    '</.well-known/api-catalog>; rel="api-catalog"; type="application/linkset+json"',
  ].join(", "),
};

/**
 * Headers of the app's script files. They have no effect on a page's scripts, but a worker's own file decides what
 * that worker may do. The only worker among them proves in the browser (components/proof/browser). It compiles WASM,
 * which no page may, and connects only to this site and the ceremony's points, so its inputs cannot leak. Isolated
 * pages load only workers that allow it.
 */
export const scriptHeaders = [
  {
    key: "content-security-policy",
    value: [
      "default-src 'none'",
      // `next dev` uses eval.
      `script-src 'self' 'wasm-unsafe-eval'${process.env.NODE_ENV === "development" ? " 'unsafe-eval'" : ""}`,
      // Its threads are workers too; bb's WASM is a data: URL in its bundle.
      "worker-src 'self'",
      `connect-src 'self' data: ${CEREMONY_HOSTS.join(" ")}`,
    ].join("; "),
  },
  { key: "cross-origin-embedder-policy", value: "require-corp" },
] as const;
