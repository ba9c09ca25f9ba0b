/** Sent with everything; the content security policy of pages, which needs a nonce per request, is set in proxy.ts. */
export const securityHeaders = [
  { key: "x-content-type-options", value: "nosniff" },
  // Invite codes stand in paths: another site must not learn them from a link.
  { key: "referrer-policy", value: "strict-origin-when-cross-origin" },
  { key: "x-frame-options", value: "DENY" },
  { key: "cross-origin-opener-policy", value: "same-origin" },
  { key: "permissions-policy", value: "geolocation=(), microphone=(), payment=(), usb=()" },
] as const;
