import type { NextConfig } from "next";

/** Sent with everything; the content security policy, which needs a nonce per request, is set in proxy.ts. */
const securityHeaders = [
  { key: "x-content-type-options", value: "nosniff" },
  // Invite codes stand in paths: another site must not learn them from a link.
  { key: "referrer-policy", value: "strict-origin-when-cross-origin" },
  { key: "x-frame-options", value: "DENY" },
  { key: "cross-origin-opener-policy", value: "same-origin" },
  { key: "permissions-policy", value: "geolocation=(), microphone=(), payment=(), usb=()" },
];

const config: NextConfig = {
  poweredByHeader: false,
  reactStrictMode: true,
  // Native code, WASM and worker files that a bundle would lose.
  serverExternalPackages: [
    "@electric-sql/pglite",
    "@aztec/bb.js",
    "pg",
    "@vercel/postgres",
    "redis",
    "@upstash/redis",
    "jsdom",
    "sanitize-html",
    "pino",
  ],
  // `npm test` checks types. A start on somebody's machine need not do it again, tests included.
  typescript: { ignoreBuildErrors: true },
  // No instruction files for coding agents written into the repository.
  agentRules: false,
  devIndicators: false,
  async headers() {
    return [{ source: "/:path*", headers: securityHeaders }];
  },
};

export default config;
