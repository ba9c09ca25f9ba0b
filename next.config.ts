import type { NextConfig } from "next";
import { scriptHeaders, securityHeaders } from "./lib/http/security-headers";

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
  // Sentences reach the browser compiled (lib/i18n/catalogues.ts): without the parser, a few hundred bytes are enough.
  turbopack: { resolveAlias: { "use-intl/format-message": "use-intl/format-message/format-only" } },
  // `npm test` checks types. A start on somebody's machine need not do it again, tests included.
  typescript: { ignoreBuildErrors: true },
  // Read by their paths, which a host that packs only what is imported cannot know.
  outputFileTracingIncludes: { "/cards/**": ["./node_modules/@fontsource/*/{unicode.json,files/*.woff}"] },
  // Nothing here uses the optimiser, and it is not subject to rate limits or to deletion. Its address answers 404.
  images: { unoptimized: true, localPatterns: [], remotePatterns: [] },
  // State and secrets of the machine that builds: a host that packs what is traced must not publish them.
  outputFileTracingExcludes: { "/**": ["./.parley/**/*"] },
  // No instruction files for coding agents written into the repository.
  agentRules: false,
  devIndicators: false,
  async headers() {
    return [
      // Caches on the way must not hold back a new worker.
      { source: "/worker/:path*", headers: [{ key: "cache-control", value: "no-cache" }] },
      { source: "/:path*", headers: [...securityHeaders] },
      { source: "/_next/static/:path*", headers: [...scriptHeaders] },
    ];
  },
};

export default config;
