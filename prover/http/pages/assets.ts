import { readFile } from "node:fs/promises";
import type { Hono } from "hono";

const own = (name: string) => new URL(`../assets/${name}`, import.meta.url);
const font = (name: string, file: string) =>
  new URL(import.meta.resolve(`@fontsource-variable/${name}/files/${file}-latin-wght-normal.woff2`));

const files: Readonly<Record<string, { file: URL; type: string; days: number }>> = {
  "page.css": { file: own("page.css"), type: "text/css; charset=utf-8", days: 0 },
  "job.js": { file: own("job.js"), type: "text/javascript; charset=utf-8", days: 0 },
  "seal.svg": { file: own("seal.svg"), type: "image/svg+xml", days: 1 },
  "inter.woff2": { file: font("inter", "inter"), type: "font/woff2", days: 30 },
  "source-serif-4.woff2": {
    file: font("source-serif-4", "source-serif-4"),
    type: "font/woff2",
    days: 30,
  },
};

/** Serves the few files the pages are made of. */
export function serveAssets(app: Hono): void {
  for (const [name, { file, type, days }] of Object.entries(files)) {
    app.get(`/assets/${name}`, async (c) =>
      c.body(new Uint8Array(await readFile(file)), 200, {
        "content-type": type,
        "cache-control": days > 0 ? `public, max-age=${days * 86_400}` : "no-cache",
      }),
    );
  }
}
