import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { images, padded, png, svg } from "@/lib/testing/images";
import { type Site, startSite } from "./testing/site";

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const failed = { status: 502, code: "upstream_failed" };

describe("GET /api/og/image", () => {
  const get = (src: string) =>
    site.h.fetch(`http://localhost:3000/api/og/image?src=${encodeURIComponent(src)}`);

  it.each(Object.entries(images))("200: streams %s, as what its bytes are", async (type, bytes) => {
    const src = site.page(bytes, { "content-type": "text/html", "set-cookie": "a=b", "x-evil": "1" });
    const response = await get(src);
    expect(response.status).toBe(200);
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": type,
      "cache-control": "public, max-age=3600",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
    });
    expect([response.headers.get("set-cookie"), response.headers.get("x-evil")]).toEqual([null, null]);
  });

  it("comes in pieces, however small the first is", async () => {
    site.answer((response) => {
      const [head, tail] = [png().subarray(0, 3), png().subarray(3)];
      response.writeHead(200, { "content-type": "image/png" }).write(head);
      setTimeout(() => response.end(tail), 20);
    });
    const response = await get(`${site.base}/pieces`);
    expect(Buffer.from(await response.arrayBuffer()).equals(png())).toBe(true);
  });

  it.each([
    ["SVG", svg, "image/svg+xml"],
    ["HTML that says it is an image", Buffer.from("<html><script>alert(1)</script></html>"), "image/png"],
    ["nothing", Buffer.alloc(0), "image/png"],
    ["three bytes", Buffer.from("abc"), "image/png"],
    ["a film", Buffer.from("\0\0\0\x20ftypisom............"), "image/png"],
  ])("415 for %s", async (_, bytes, type) => {
    expect(await site.refused("og/image", { src: site.page(bytes, { "content-type": type }) })).toMatchObject(
      {
        status: 415,
        code: "not_an_image",
      },
    );
  });

  it("passes on 5 MB; more is 502, or breaks off where the server did not say", async () => {
    const all = await get(site.page(padded(png(), 5_000_000), { "content-type": "image/png" }));
    expect((await all.arrayBuffer()).byteLength).toBe(5_000_000);
    const said = { "content-type": "image/png", "content-length": "5000001" };
    expect(await site.refused("og/image", { src: site.page(padded(png(), 5_000_001), said) })).toMatchObject(
      failed,
    );
    site.answer((response) => {
      response.writeHead(200, { "content-type": "image/png" });
      response.write(png());
      response.end(Buffer.alloc(5_000_000));
    });
    const endless = await get(`${site.base}/unsaid`);
    expect(endless.status).toBe(200);
    await expect(endless.arrayBuffer()).rejects.toThrow();
  });

  it("502 for a failure, 400 for a missing or unusable src", async () => {
    site.answer((response) => response.writeHead(404).end(png()));
    expect(await site.refused("og/image", { src: `${site.base}/gone` })).toMatchObject(failed);
    expect(await site.refused("og/image", {})).toEqual({
      status: 400,
      code: "invalid_request",
      field: "src",
    });
    for (const src of [
      "x",
      "/cat.png",
      "data:image/png;base64,AA",
      "http://127.1/x.png",
      "file:///etc/passwd",
    ]) {
      expect(await site.refused("og/image", { src })).toEqual({
        status: 400,
        code: "address_not_allowed",
        field: "src",
      });
    }
  });

  it("lets go of the other server when the reader goes away", async () => {
    let closed = false;
    site.answer((response) => {
      response.on("close", () => {
        closed = true;
      });
      response.writeHead(200, { "content-type": "image/png" }).write(png());
    });
    const response = await get(`${site.base}/slow`);
    await response.body?.cancel();
    await expect.poll(() => closed).toBe(true);
  });
});
