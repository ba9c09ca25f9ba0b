import type { NextConfig } from "next";
import { scriptHeaders, securityHeaders } from "./lib/http/security-headers";

const config: NextConfig = {
  // The server with the packages that it needs, for dist/app (scripts/dist/app.ts). Hosts with an adapter pack the app
  // themselves; builds of Next 16.3 failed there with standalone output: https://github.com/vercel/next.js/issues/96646
  output: process.env.VERCEL || process.env.NEXT_ADAPTER_PATH ? undefined : "standalone",
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
  // Read by their paths, which a host that packs only what is imported cannot know (app/cards/_card/fonts.ts).
  outputFileTracingIncludes: {
    "/cards/**": [
      "./node_modules/@fontsource/*/unicode.json",
      "./node_modules/@fontsource/source-serif-4/files/*-{400,600}-normal.woff",
      "./node_modules/@fontsource/gowun-batang/files/gowun-batang-[0-9]*-{400,700}-normal.woff",
      "./node_modules/@fontsource/noto-naskh-arabic/files/*-arabic-{400,600}-normal.woff",
      "./node_modules/@fontsource/noto-serif-hebrew/files/*-hebrew-{400,600}-normal.woff",
      "./node_modules/@fontsource/noto-emoji/files/noto-emoji-[0-9]*-400-normal.woff",
    ],
  },
  // Nothing here uses the optimiser, and it is not subject to rate limits or to deletion. Its address answers 404.
  images: { unoptimized: true, localPatterns: [], remotePatterns: [] },
  outputFileTracingExcludes: {
    "/**": [
      // State and secrets of the machine that builds: a host that packs what is traced must not publish them.
      "./.parley/**/*",
      // Of PGlite, the CommonJS copies and the extensions that lib/sql/pglite.ts does not open.
      "./node_modules/@electric-sql/pglite/dist/**/*.{cjs,cts,map}",
      "./node_modules/@electric-sql/pglite/dist/!(btree_gin|pg_trgm).tar.gz",
    ],
    // Metrics of Google's fonts, which only a build with next/font reads.
    "next-server": ["./node_modules/next/dist/server/capsize-font-metrics.json"],
  },
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
