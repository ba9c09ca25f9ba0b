import type { NextConfig } from "next";
import { entranceLinks, scriptHeaders, securityHeaders } from "./lib/http/security-headers";

const config: NextConfig = {
  // Standalone output for dist/app (scripts/dist/app.ts). Hosts with an adapter package the app themselves; builds of
  // Next 16.3 failed there with standalone output: https://github.com/vercel/next.js/issues/96646
  output: process.env.VERCEL || process.env.NEXT_ADAPTER_PATH ? undefined : "standalone",
  poweredByHeader: false,
  reactStrictMode: true,
  // Packages with native code, WASM or worker files, which a bundle would lose.
  serverExternalPackages: [
    "@electric-sql/pglite",
    "@aztec/bb.js",
    // It stores things under the names of its classes, which a bundle shortens.
    "oidc-provider",
    "pg",
    "@vercel/postgres",
    "@upstash/redis",
    "jsdom",
    "sanitize-html",
    "pino",
    "zod",
  ],
  // `npm test` checks types; `npm start` need not check them again.
  typescript: { ignoreBuildErrors: true },
  // Files that code reads by path (app/cards/_card/fonts.ts), which tracing imports does not find.
  outputFileTracingIncludes: {
    // Barretenberg in WebAssembly with its worker (lib/proofs/anonymous).
    "/api/**": ["./node_modules/@aztec/bb.js/dest/node/**/*.{js,wasm.gz}"],
    "/proving/**": ["./lib/proofs/crs/bn254_g1.dat"],
    "/cards/**": [
      "./node_modules/@fontsource/*/unicode.json",
      "./node_modules/@fontsource/source-serif-4/files/*-{400,600}-normal.woff",
      "./node_modules/@fontsource/gowun-batang/files/gowun-batang-[0-9]*-{400,700}-normal.woff",
      "./node_modules/@fontsource/noto-naskh-arabic/files/*-arabic-{400,600}-normal.woff",
      "./node_modules/@fontsource/noto-serif-hebrew/files/*-hebrew-{400,600}-normal.woff",
      "./node_modules/@fontsource/noto-emoji/files/noto-emoji-[0-9]*-400-normal.woff",
    ],
  },
  // Nothing uses the image optimizer, and rate limits and deletion do not cover it. Its route returns 404.
  images: { unoptimized: true, localPatterns: [], remotePatterns: [] },
  outputFileTracingExcludes: {
    "/**": [
      // Barretenberg for the prover and for browsers: the app runs the WebAssembly alone.
      "./node_modules/@aztec/bb.js/{build,src,dest/browser,dest/node-cjs}/**/*",
      // Data and secrets of the build machine, which a host that packages traced files must not publish.
      "./.parley/**/*",
      // PGlite's CommonJS copies, and the extensions that lib/sql/pglite.ts does not use.
      "./node_modules/@electric-sql/pglite/dist/**/*.{cjs,cts,map}",
      "./node_modules/@electric-sql/pglite/dist/!(btree_gin|pg_trgm).tar.gz",
    ],
    // Metrics of Google's fonts, which only a build with next/font reads.
    "next-server": ["./node_modules/next/dist/server/capsize-font-metrics.json"],
  },
  // Next must not write instruction files for coding agents into the repository.
  agentRules: false,
  devIndicators: false,
  async rewrites() {
    // A folder whose name begins with @ is a slot to Next. See personPath of lib/client/places.ts.
    return [
      { source: "/@:nickname", destination: "/people/:nickname" },
      { source: "/@:nickname/comments", destination: "/people/:nickname/comments" },
    ];
  },
  async headers() {
    return [
      // Pages of other sites load the element (packages/parley-gate).
      {
        source: "/gate.js",
        headers: [
          { key: "access-control-allow-origin", value: "*" },
          { key: "cross-origin-resource-policy", value: "cross-origin" },
          { key: "cache-control", value: "public, max-age=3600" },
        ],
      },
      // Intermediate caches must not delay a new service worker.
      { source: "/worker/:path*", headers: [{ key: "cache-control", value: "no-cache" }] },
      { source: "/:path*", headers: [...securityHeaders, entranceLinks] },
      { source: "/_next/static/:path*", headers: [...scriptHeaders] },
    ];
  },
};

export default config;
