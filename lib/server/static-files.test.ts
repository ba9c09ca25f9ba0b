import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { scriptHeaders } from "@/lib/http/security-headers";
import type { RequestHandler } from "@/lib/runtime/process";
import { compressBuild, leaveOutOriginals } from "@/scripts/stack/next-build";
import { compressedFiles } from "./static-files";
import { askRaw } from "./testing";

const script = `console.log("${"a".repeat(5_000)}");`;
const packed = `${"b".repeat(1_000_000)}"`;
let root = "";
let files: RequestHandler | undefined;
const server = http.createServer((request, response) => {
  if (!files?.(request, response)) response.end("next");
});

beforeAll(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), "parley-static-"));
  await mkdir(path.join(root, ".next/static/chunks"), { recursive: true });
  await writeFile(path.join(root, ".next/static/chunks/a.js"), script);
  await writeFile(path.join(root, ".next/static/chunks/a.woff2"), "font");
  await writeFile(path.join(root, ".next/static/chunks/packed.js"), packed);
  await mkdir(path.join(root, ".next/static/media"), { recursive: true });
  await writeFile(path.join(root, ".next/static/media/packed.wasm"), packed);
  await compressBuild(root);
  await leaveOutOriginals(root);
  await writeFile(path.join(root, ".next/secret.js.br"), "secret");
  files = compressedFiles(root);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(async () => {
  server.close();
  await rm(root, { recursive: true, force: true });
});

const ask = (pathname: string, encoding: string, method = "GET") =>
  askRaw(server, { path: pathname, method, headers: { "accept-encoding": encoding } });

describe("static files of the build", () => {
  const file = "/_next/static/chunks/a.js";

  it("come with Brotli, or gzip, as the client takes them", async () => {
    const br = await ask(file, "gzip, deflate, br");
    expect(br.headers).toMatchObject({
      "content-encoding": "br",
      "content-type": "text/javascript",
      "cache-control": "public,max-age=31536000,immutable",
      "x-content-type-options": "nosniff",
      vary: "Accept-Encoding",
      // The policy of workers in these files, and that isolated pages may load them.
      ...Object.fromEntries(scriptHeaders.map(({ key, value }) => [key, value])),
    });
    expect(brotliDecompressSync(br.body).toString()).toBe(script);
    const gz = await ask(file, "gzip");
    expect(gz.headers["content-encoding"]).toBe("gzip");
    expect(gunzipSync(gz.body).toString()).toBe(script);
    // Its original was left out.
    const neither = await ask(file, "identity");
    expect([neither.headers["content-encoding"], neither.body.toString()]).toEqual([undefined, script]);
    const head = await ask(file, "br", "HEAD");
    expect([head.status, head.headers["content-encoding"], head.body.length]).toEqual([200, "br", 0]);
  });

  it.each([
    ["/_next/static/chunks/packed.js", "text/javascript"],
    // A browser compiles it while it arrives under this type alone.
    ["/_next/static/media/packed.wasm", "application/wasm"],
  ])(
    "come with Brotli alone when they are large, and as they were for who does not take it: %s",
    async (large, type) => {
      const [br, gzip, head] = await Promise.all([
        ask(large, "br"),
        ask(large, "gzip"),
        ask(large, "identity", "HEAD"),
      ]);
      expect(brotliDecompressSync(br.body).toString()).toBe(packed);
      expect(br.headers["content-type"]).toBe(type);
      expect(gzip.body.toString()).toBe(packed);
      expect(head.body.length).toBe(0);
      for (const { status, headers } of [gzip, head]) {
        expect([status, headers["content-encoding"]]).toEqual([200, undefined]);
        expect(headers).toMatchObject({
          "content-type": type,
          "cache-control": "public,max-age=31536000,immutable",
          ...Object.fromEntries(scriptHeaders.map(({ key, value }) => [key, value])),
        });
      }
    },
  );

  it.each([
    ["what was not compressed", "/_next/static/chunks/a.woff2", "br", "GET"],
    ["what is not there", "/_next/static/chunks/b.js", "br", "GET"],
    ["a way out of the folder", "/_next/static/../../../secret.js", "br", "GET"],
    ["an encoded way out", "/_next/static/%2e%2e/%2e%2e/%2e%2e/secret.js", "br", "GET"],
    ["another method", file, "br", "POST"],
    ["a page", "/", "br", "GET"],
  ])("are left to Next for %s", async (_, pathname, encoding, method) => {
    const { headers, body } = await ask(pathname, encoding, method);
    expect([headers["content-encoding"], body.toString()]).toEqual([undefined, "next"]);
  });
});
