import { createSerwistRoute } from "@serwist/turbopack";
import { t } from "@/lib/i18n/english";

/** Largest script in bytes to precache for offline use. The editor, wallets and the prover are larger. */
const MAX_SCRIPT_BYTES = 100_000;

/**
 * GET /worker/sw.js: the service worker (lib/worker), which the build bundles. It precaches the styles and fonts of the
 * offline page, and finds that page's scripts in the page itself.
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
      manifest: entries.filter(({ url, size }) => !url.endsWith(".js") || size <= MAX_SCRIPT_BYTES),
      warnings: [],
    }),
  ],
  useNativeEsbuild: true,
  esbuildOptions: {
    sourcemap: false,
    format: "iife",
    define: {
      "process.env.NODE_ENV": JSON.stringify(process.env.NODE_ENV),
      // Fallback for a push message without content.
      "process.env.PUSH_TITLE": JSON.stringify(t("common.name")),
      "process.env.PUSH_BODY": JSON.stringify(t("offline.somethingNew")),
    },
  },
});
