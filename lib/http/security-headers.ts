import { CEREMONY_HOSTS } from "../proofs/ceremony";

/** Sent with everything; the content security policy of pages, which needs a nonce per request, is set in proxy.ts. */
export const securityHeaders = [
  { key: "x-content-type-options", value: "nosniff" },
  // Invite codes stand in paths: another site must not learn them from a link.
  { key: "referrer-policy", value: "strict-origin-when-cross-origin" },
  { key: "x-frame-options", value: "DENY" },
  { key: "cross-origin-opener-policy", value: "same-origin" },
  { key: "permissions-policy", value: "geolocation=(), microphone=(), payment=(), usb=()" },
] as const;

/**
 * Sent with the app's script files. For a script of a page these say nothing; a worker's own file decides what that
 * worker may do, whatever its page may. The only worker made of them proves in the browser (components/proof/browser):
 * it compiles WASM, which no page may, and reaches this site and the ceremony's points and nothing else, so that
 * nothing it is given can go anywhere. Isolated pages load only workers that say they may be loaded by them.
 */
export const scriptHeaders = [
  {
    key: "content-security-policy",
    value: [
      "default-src 'none'",
      // `next dev` evaluates what it loads.
      `script-src 'self' 'wasm-unsafe-eval'${process.env.NODE_ENV === "development" ? " 'unsafe-eval'" : ""}`,
      // Its threads are workers too; bb's WASM is a data: address in its bundle.
      "worker-src 'self'",
      `connect-src 'self' data: ${CEREMONY_HOSTS.join(" ")}`,
    ].join("; "),
  },
  { key: "cross-origin-embedder-policy", value: "require-corp" },
] as const;
