import { createReadStream, existsSync, readdirSync } from "node:fs";
import type { ServerResponse } from "node:http";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";
import sirv from "sirv";
import { scriptHeaders, securityHeaders } from "@/lib/http/security-headers";
import { log } from "@/lib/log";
import type { RequestHandler } from "@/lib/runtime/process";

/** Where the build puts compressed copies of its static files, under their request paths. */
export const compressedFolder = path.join(".next", "compressed");
const PREFIX = "/_next/static/";
const YEAR_SECONDS = 31_536_000;

/**
 * Serves the build's static files from copies compressed at build time: maximum Brotli is an eighth smaller than
 * Next's gzip on the fly, and the server compresses nothing. Next serves clients that accept neither Brotli nor gzip, except
 * in dist/app, which leaves the originals out: they are restored here.
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
    setHeaders,
  });
  const packed = packedFiles(root, folder);
  return (request, response) => {
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (!isRead || !request.url?.startsWith(PREFIX)) return false;
    let isOurs = true;
    serve(request, response, () => {
      const file = packed.get(new URL(request.url ?? "", "http://localhost").pathname);
      if (file) unpack(file, request.method === "HEAD", response);
      else isOurs = false;
    });
    return isOurs;
  };
}

function setHeaders(response: ServerResponse): void {
  response.setHeader("vary", "Accept-Encoding");
  for (const { key, value } of [...securityHeaders, ...scriptHeaders]) response.setHeader(key, value);
}

/** Returns the Brotli copies of files that the build has no other copy of, by their request paths. */
function packedFiles(root: string, folder: string): ReadonlyMap<string, string> {
  const originals = path.join(root, ".next", "static");
  const below = path.join(folder, PREFIX);
  return new Map(
    readdirSync(below, { recursive: true, encoding: "utf8" })
      .filter(
        (name) => name.endsWith(".br") && !existsSync(path.join(originals, name.slice(0, -".br".length))),
      )
      .map((name) => [`${PREFIX}${name.slice(0, -".br".length)}`, path.join(below, name)]),
  );
}

const TYPES: Readonly<Record<string, string>> = { ".css": "text/css", ".wasm": "application/wasm" };

/** Answers with a file as it was before its compression. */
function unpack(file: string, headOnly: boolean, response: ServerResponse): void {
  setHeaders(response);
  response.setHeader("content-type", TYPES[path.extname(file.slice(0, -".br".length))] ?? "text/javascript");
  response.setHeader("cache-control", `public,max-age=${YEAR_SECONDS},immutable`);
  if (headOnly) {
    response.end();
    return;
  }
  // A client that goes away ends the reading.
  pipeline(createReadStream(file), createBrotliDecompress(), response).catch((error: unknown) => {
    if (!response.destroyed) log.warn({ err: error }, "could not read a static file");
  });
}
