import { createSerwistRoute } from "@serwist/turbopack";
import { t } from "@/lib/i18n/english";

/** Bytes of a script that is kept for doing things without a network; the editor, wallets and the prover are heavier. */
const LIGHT = 100_000;

/**
 * GET /worker/sw.js: the service worker (lib/worker), bundled once by the build. What it keeps from the start is what
 * the offline page is dressed in; scripts it finds in that page itself.
 */
export const { dynamic, dynamicParams, revalidate, generateStaticParams, GET } = createSerwistRoute({
  swSrc: "lib/worker/index.ts",
  globPatterns: [
    ".next/static/chunks/*.{css,js}",
    ".next/static/media/*-latin-wght-*.woff2",
    "public/icons/seal-192.png",
  ],
  maximumFileSizeToCacheInBytes: 20_000_000,
  manifestTransforms: [
    (entries) => ({
      manifest: entries.filter(({ url, size }) => !url.endsWith(".js") || size <= LIGHT),
      warnings: [],
    }),
  ],
  useNativeEsbuild: true,
  esbuildOptions: {
    sourcemap: false,
    format: "iife",
    define: {
      "process.env.NODE_ENV": JSON.stringify(process.env.NODE_ENV),
      // For a message that says nothing, which none of ours is.
      "process.env.PUSH_TITLE": JSON.stringify(t("common.name")),
      "process.env.PUSH_BODY": JSON.stringify(t("offline.somethingNew")),
    },
  },
});
