import { existsSync } from "node:fs";
import path from "node:path";
import sirv from "sirv";
import { scriptHeaders, securityHeaders } from "@/lib/http/security-headers";
import type { RequestHandler } from "@/lib/runtime/process";

/** Where the build puts compressed copies of its static files, under the paths they are asked for by. */
export const compressedFolder = path.join(".next", "compressed");
const prefix = "/_next/static/";
const yearSeconds = 31_536_000;

/**
 * Answers requests for the build's static files with what was compressed when it was built: Brotli at its best saves an
 * eighth of what Next's gzip of the moment does, and the server compresses nothing. Clients that take neither Brotli nor
 * gzip are Next's.
 * @param root folder of the build
 * @returns undefined where nothing was compressed
 */
export function compressedFiles(root: string): RequestHandler | undefined {
  const folder = path.join(root, compressedFolder);
  if (!existsSync(folder)) return undefined;
  const serve = sirv(folder, {
    etag: true,
    maxAge: yearSeconds,
    immutable: true,
    brotli: true,
    gzip: true,
    // Only compressed copies lie there.
    extensions: [],
    onNoMatch: () => undefined,
    setHeaders(response) {
      response.setHeader("vary", "Accept-Encoding");
      for (const { key, value } of [...securityHeaders, ...scriptHeaders]) response.setHeader(key, value);
    },
  });
  return (request, response) => {
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (!isRead || !request.url?.startsWith(prefix)) return false;
    let isOurs = true;
    serve(request, response, () => {
      isOurs = false;
    });
    return isOurs;
  };
}
