import { existsSync } from "node:fs";
import path from "node:path";
import sirv from "sirv";
import { scriptHeaders, securityHeaders } from "@/lib/http/security-headers";
import type { RequestHandler } from "@/lib/runtime/process";

/** Where the build puts compressed copies of its static files, under their request paths. */
export const compressedFolder = path.join(".next", "compressed");
const PREFIX = "/_next/static/";
const YEAR_SECONDS = 31_536_000;

/**
 * Serves the build's static files from copies compressed at build time: maximum Brotli is an eighth smaller than
 * Next's gzip on the fly, and the server compresses nothing. Next serves clients that accept neither Brotli nor gzip.
 * @param root folder of the build
 * @returns undefined where the build has no compressed copies
 */
export function compressedFiles(root: string): RequestHandler | undefined {
  const folder = path.join(root, compressedFolder);
  if (!existsSync(folder)) return undefined;
  const serve = sirv(folder, {
    etag: true,
    maxAge: YEAR_SECONDS,
    immutable: true,
    brotli: true,
    gzip: true,
    // The folder has only compressed copies.
    extensions: [],
    onNoMatch: () => undefined,
    setHeaders(response) {
      response.setHeader("vary", "Accept-Encoding");
      for (const { key, value } of [...securityHeaders, ...scriptHeaders]) response.setHeader(key, value);
    },
  });
  return (request, response) => {
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (!isRead || !request.url?.startsWith(PREFIX)) return false;
    let isOurs = true;
    serve(request, response, () => {
      isOurs = false;
    });
    return isOurs;
  };
}
