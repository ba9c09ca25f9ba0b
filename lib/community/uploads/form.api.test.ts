import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { gif, images, jpeg, padded, png, svg, webp } from "@/lib/testing/images";
import { signIn } from "../testing";
import { uploadsOf } from "./testing";

let h: Harness;
let ada: TestUser;
let use: ReturnType<typeof uploadsOf>;
beforeAll(async () => {
  h = await createHarness();
  use = uploadsOf(h);
  ada = await signIn(h, "ada");
});
afterAll(() => h.close());

describe("POST /api/upload, form", () => {
  it.each(Object.entries(images))("201 for %s", async (type, bytes) => {
    const { status: code, publicUrl = "" } = await use.form(
      ada,
      new File([new Uint8Array(bytes)], "x"),
      "topic",
    );
    expect(code).toBe(201);
    const served = await h.fetch(publicUrl);
    expect(served.headers.get("content-type")).toBe(type);
    expect(Buffer.from(await served.arrayBuffer()).equals(bytes)).toBe(true);
  });

  const file = (bytes: Buffer, name = "a.png") =>
    new File([new Uint8Array(bytes)], name, { type: "image/png" });
  it.each([
    ["SVG, whatever it is called", file(svg), 400, "upload_type"],
    ["HTML in front of an image", file(Buffer.concat([Buffer.from("<script>"), png()])), 400, "upload_type"],
    ["nothing", file(Buffer.alloc(0)), 400, "upload_type"],
    ["PDF", file(Buffer.from("%PDF-1.7 ...............................")), 400, "upload_type"],
    ["a PNG that breaks off", file(png().subarray(0, 14)), 400, "upload_damaged"],
    [
      "a JPEG without a frame",
      file(Buffer.concat([jpeg().subarray(0, 20), Buffer.alloc(60)])),
      400,
      "upload_damaged",
    ],
    ["a PNG of no pixels", file(png(0, 10)), 400, "upload_damaged"],
    ["a PNG bomb", file(png(60_000, 60_000)), 400, "upload_damaged"],
    ["a JPEG bomb", file(jpeg(65_000, 65_000)), 400, "upload_damaged"],
    ["a GIF bomb", file(gif(65_535, 65_535)), 400, "upload_damaged"],
    ["a WebP bomb", file(webp(16_000_000, 16_000_000)), 400, "upload_damaged"],
    ["one pixel row too many", file(png(10_000, 5_001)), 400, "upload_damaged"],
  ] as const)("refuses %s", async (_, sent, code, word) => {
    const before = (await use.rowsOf(ada)).length;
    expect(await use.form(ada, sent)).toEqual({ status: code, code: word, field: "file" });
    expect(await use.rowsOf(ada)).toHaveLength(before);
  });

  it("accepts 50 million pixels, and up to 10 MB", async () => {
    expect((await use.form(ada, file(png(10_000, 5_000)))).status).toBe(201);
    expect((await use.form(ada, file(padded(png(), 10_000_000)))).status).toBe(201);
    expect(await use.form(ada, file(padded(png(), 10_000_001)))).toMatchObject({
      status: 413,
      code: "upload_too_large",
    });
    expect(await use.form(ada, file(padded(png(), 10_100_000)))).toMatchObject({
      status: 413,
      code: "body_too_large",
    });
  });

  it("serves an image that is also something else as the image only", async () => {
    const polyglots = [
      Buffer.concat([gif(), Buffer.from("=1;/*<script>alert(1)</script>*/")]),
      Buffer.concat([png(), Buffer.from("<html><script>alert(1)</script></html>")]),
    ];
    for (const bytes of polyglots) {
      const served = await h.fetch(await use.upload(ada, bytes));
      expect(served.headers.get("content-type")).toMatch(/^image\/(gif|png)$/);
      expect(served.headers.get("x-content-type-options")).toBe("nosniff");
      expect(served.headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
    }
  });

  it("400 for a form without a file", async () => {
    expect(await use.form(ada, "text")).toMatchObject({ status: 400, field: "file" });
    expect(await use.form(ada, file(png()), "elsewhere")).toMatchObject({ status: 400, field: "purpose" });
    const broken = {
      body: "--x",
      headers: { "content-type": "multipart/form-data; boundary=x" },
      token: ada.token,
    };
    expect((await h.send("POST", "/api/upload", broken)).status).toBe(400);
  });
});
