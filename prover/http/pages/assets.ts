import { readFile } from "node:fs/promises";
import type { Hono } from "hono";
import { isBundled } from "../../bundled";

const assets: Readonly<Record<string, { type: string; days: number }>> = {
  "page.css": { type: "text/css; charset=utf-8", days: 0 },
  "job.js": { type: "text/javascript; charset=utf-8", days: 0 },
  "seal.svg": { type: "image/svg+xml", days: 1 },
  "inter.woff2": { type: "font/woff2", days: 30 },
  "source-serif-4.woff2": { type: "font/woff2", days: 30 },
};
export const assetNames = Object.keys(assets);

/** Returns an asset's file: beside the bundle, or in the sources and the fonts' packages. */
export function assetFile(name: string): URL {
  if (isBundled) return new URL(`./assets/${name}`, import.meta.url);
  if (!name.endsWith(".woff2")) return new URL(`../assets/${name}`, import.meta.url);
  const font = name.slice(0, -".woff2".length);
  return new URL(import.meta.resolve(`@fontsource-variable/${font}/files/${font}-latin-wght-normal.woff2`));
}

/** Serves the pages' files. */
export function serveAssets(app: Hono): void {
  for (const [name, { type, days }] of Object.entries(assets)) {
    const file = assetFile(name);
    app.get(`/assets/${name}`, async (c) =>
      c.body(new Uint8Array(await readFile(file)), 200, {
        "content-type": type,
        "cache-control": days > 0 ? `public, max-age=${days * 86_400}` : "no-cache",
      }),
    );
  }
}
