import { existsSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { errorBodySchema } from "@/lib/contract/errors";
import { sweepExpired } from "@/lib/runtime/housekeeping";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { dataUri, gif, images, jpeg, padded, png, svg, webp } from "@/lib/testing/images";
import { refusalOf, signIn } from "../testing";

let h: Harness;
let ada: TestUser;
let clock = Date.now();
beforeAll(async () => {
  h = await createHarness({ now: () => new Date(clock) });
  ada = await signIn(h, "ada");
});
afterAll(() => h.close());

type Announce = {
  filename?: string;
  contentType?: "image/png" | "image/jpeg";
  size?: number;
  purpose?: "avatar";
};
const announce = (user: TestUser, more: Announce = {}) =>
  user.api.call(contract.uploads.create, {
    filename: "cat.png",
    contentType: "image/png",
    size: png().length,
    ...more,
  });

async function put(url: string | undefined, bytes: Uint8Array, headers: Record<string, string> = {}) {
  const response = await h.fetch(url ?? "", {
    method: "PUT",
    body: Buffer.from(bytes),
    headers: { "content-type": "image/png", ...headers },
  });
  const text = await response.text();
  return { status: response.status, code: text ? errorBodySchema.parse(JSON.parse(text)).code : null };
}

/** Sends a form as this user. */
async function form(user: TestUser, file: File | string, purpose?: string) {
  const body = new FormData();
  body.set("file", file);
  if (purpose) body.set("purpose", purpose);
  const response = await h.fetch("http://localhost:3000/api/upload", {
    method: "POST",
    body,
    headers: { authorization: `Bearer ${user.token}` },
  });
  const answer: unknown = await response.json();
  const failed = errorBodySchema.safeParse(answer);
  if (failed.success) return { status: response.status, code: failed.data.code, field: failed.data.field };
  return {
    status: response.status,
    publicUrl: contract.uploads.create.responses[201].parse(answer).publicUrl,
  };
}
const upload = async (user: TestUser, bytes: Buffer = png(), purpose?: string) => {
  const { publicUrl } = await form(user, new File([new Uint8Array(bytes)], "cat.png"), purpose);
  return publicUrl ?? expect.fail("the upload was refused");
};
const status = async (url: string) => (await h.fetch(url)).status;
const rowsOf = (user: TestUser) =>
  h.db.selectFrom("uploads").select(["key", "stored", "size"]).where("user_id", "=", user.userId).execute();

describe("POST /api/upload, JSON", () => {
  it("201: an address that takes the bytes, which are then served", async () => {
    const user = await signIn(h);
    const { uploadUrl, publicUrl, expiresIn } = await announce(user, { filename: "../../My cat.png" });
    expect(expiresIn).toBe(600);
    expect(publicUrl).toMatch(
      new RegExp(
        `^http://localhost:3000/uploads/development/posts/${user.userId}/[0-9a-f-]{36}/My-cat\\.png$`,
      ),
    );
    expect(await status(publicUrl)).toBe(404);
    expect(await put(uploadUrl, png())).toEqual({ status: 200, code: null });
    const served = await h.fetch(publicUrl);
    expect(served.status).toBe(200);
    expect(Buffer.from(await served.arrayBuffer()).equals(png())).toBe(true);
    expect(Object.fromEntries(served.headers)).toMatchObject({
      "content-type": "image/png",
      "content-length": String(png().length),
      "cache-control": "public, max-age=31536000, immutable",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
    });
    expect(await rowsOf(user)).toMatchObject([{ stored: true, size: png().length }]);
  });

  it.each(["post", "topic", "avatar"] as const)("puts a %s upload into its folder", async (purpose) => {
    const { publicUrl } = await ada.api.call(contract.uploads.create, {
      filename: "a.jpg",
      contentType: "image/jpeg",
      size: 10,
      purpose,
    });
    expect(publicUrl).toContain(`/${purpose}s/${ada.userId}/`);
    expect(publicUrl).toMatch(/\/a\.jpg$/);
  });

  it("refuses what is too large, or no image type, by field", async () => {
    expect(await refusalOf(announce(ada, { size: 10_000_001 }))).toEqual({
      status: 413,
      code: "upload_too_large",
      field: "size",
    });
    await announce(ada, { size: 10_000_000 });
    const token = ada.token;
    const send = (body: object) => h.send("POST", "/api/upload", { token, body });
    const good = { filename: "a.svg", contentType: "image/svg+xml", size: 10 };
    expect(await send(good)).toMatchObject({ status: 400, body: { field: "contentType" } });
    expect(await send({ ...good, contentType: "image/png", size: 0 })).toMatchObject({
      status: 400,
      body: { field: "size" },
    });
    expect(await send({ ...good, contentType: "image/png", purpose: "other" })).toMatchObject({
      status: 400,
      body: { field: "purpose" },
    });
  });

  it("401 for a guest, 403 without a nickname", async () => {
    expect((await h.send("POST", "/api/upload", { body: {} })).status).toBe(401);
    expect(await refusalOf(announce(await h.login()))).toMatchObject({
      status: 403,
      code: "nickname_required",
    });
  });
});

describe("PUT to an upload address", () => {
  const refused = { status: 403, code: "upload_signature" };

  it("takes one file, once", async () => {
    const { uploadUrl, publicUrl } = await announce(ada);
    const tries = await Promise.all([1, 2, 3, 4, 5].map((seed) => put(uploadUrl, png(1, 1, seed))));
    expect(tries.map((one) => one.status).toSorted()).toEqual([200, 403, 403, 403, 403]);
    const served = await (await h.fetch(publicUrl)).arrayBuffer();
    expect(Buffer.from(served).equals(png(1, 1, tries.findIndex((one) => one.status === 200) + 1))).toBe(
      true,
    );
    expect(await put(uploadUrl, png())).toEqual(refused);
  });

  it("refuses another type, size, key or time", async () => {
    const { uploadUrl = "", publicUrl } = await announce(ada);
    expect(await put(uploadUrl, png(), { "content-type": "text/html" })).toEqual(refused);
    expect(await put(uploadUrl, png(), { "content-length": "5" })).toEqual(refused);
    expect(await put(uploadUrl, padded(png(), png().length + 1))).toMatchObject({ status: 413 });
    expect(await put(uploadUrl, png().subarray(0, 60))).toEqual({ status: 400, code: "upload_damaged" });
    const eve = await signIn(h, "eve");
    expect(await put(uploadUrl.replace(ada.userId, eve.userId), png())).toEqual(refused);
    expect(await put(publicUrl, png())).toEqual(refused);
    clock += 600_000;
    expect(await put(uploadUrl, png())).toEqual(refused);
    expect(await status(publicUrl)).toBe(404);
  });

  it("looks at the bytes: what was announced as PNG must be one", async () => {
    const bytes = [svg, jpeg(), Buffer.from("<html><script>alert(1)</script></html>"), Buffer.alloc(100)];
    for (const body of bytes) {
      const { uploadUrl, publicUrl } = await announce(ada, { size: body.length });
      expect(await put(uploadUrl, body)).toEqual({ status: 400, code: "upload_type" });
      expect(await status(publicUrl)).toBe(404);
    }
  });

  it("ends with its owner's account", async () => {
    const user = await signIn(h);
    const { uploadUrl } = await announce(user);
    await user.api.call(contract.profile.deleteAccount, {});
    expect(await put(uploadUrl, png())).toEqual(refused);
  });

  it("other methods are 405, other paths 404", async () => {
    const { uploadUrl = "" } = await announce(ada);
    expect((await h.fetch(uploadUrl, { method: "POST" })).status).toBe(405);
    for (const at of ["x", "..%2f..%2fpackage.json", ".partial/x", "development/posts"]) {
      expect(await status(`http://localhost:3000/uploads/${at}`)).toBe(404);
    }
  });
});

describe("POST /api/upload, form", () => {
  it.each(Object.entries(images))("201 for %s", async (type, bytes) => {
    const { status: code, publicUrl = "" } = await form(ada, new File([new Uint8Array(bytes)], "x"), "topic");
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
    const before = (await rowsOf(ada)).length;
    expect(await form(ada, sent)).toEqual({ status: code, code: word, field: "file" });
    expect(await rowsOf(ada)).toHaveLength(before);
  });

  it("takes 50 million pixels, and 10 MB but no more", async () => {
    expect((await form(ada, file(png(10_000, 5_000)))).status).toBe(201);
    expect((await form(ada, file(padded(png(), 10_000_000)))).status).toBe(201);
    expect(await form(ada, file(padded(png(), 10_000_001)))).toMatchObject({
      status: 413,
      code: "upload_too_large",
    });
    expect(await form(ada, file(padded(png(), 10_100_000)))).toMatchObject({
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
      const served = await h.fetch(await upload(ada, bytes));
      expect(served.headers.get("content-type")).toMatch(/^image\/(gif|png)$/);
      expect(served.headers.get("x-content-type-options")).toBe("nosniff");
      expect(served.headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
    }
  });

  it("400 for a form without a file", async () => {
    expect(await form(ada, "text")).toMatchObject({ status: 400, field: "file" });
    expect(await form(ada, file(png()), "elsewhere")).toMatchObject({ status: 400, field: "purpose" });
    const broken = {
      body: "--x",
      headers: { "content-type": "multipart/form-data; boundary=x" },
      token: ada.token,
    };
    expect((await h.send("POST", "/api/upload", broken)).status).toBe(400);
  });
});

describe("DELETE /api/upload", () => {
  const remove = (user: TestUser, urls: string[]) => user.api.call(contract.uploads.delete, { urls });

  it("200: own files go, what is not ours is skipped", async () => {
    const user = await signIn(h);
    const [a, b] = [await upload(user), await upload(user, gif(), "topic")];
    const relative = new URL(b).pathname;
    const missing = a.replace(/[0-9a-f-]{36}/, "0b8f2b5e-9a3c-4a50-8b1f-0c2d5a4f7e61");
    const foreign = [
      "https://evil.example/a.png",
      dataUri(png()),
      "",
      "/uploads/x",
      a.replace("/cat", "/%2e%2e%2fcat"),
    ];
    expect(await remove(user, [a, a, relative, missing, ...foreign])).toEqual({
      attempted: 3,
      deleted: 2,
      skipped: foreign.length,
    });
    expect([await status(a), await status(b)]).toEqual([404, 404]);
    expect(await rowsOf(user)).toEqual([]);
    expect(await remove(user, [a])).toEqual({ attempted: 1, deleted: 0, skipped: 0 });
    expect(await remove(user, [])).toEqual({ attempted: 0, deleted: 0, skipped: 0 });
  });

  it("400 not_your_upload with one file of somebody else, and nothing is deleted", async () => {
    const user = await signIn(h);
    const [mine, hers] = [await upload(user), await upload(ada)];
    const spelled = [
      hers,
      hers.replace(ada.userId, `${user.userId}/../${ada.userId}`),
      hers.replace("/posts/", "/posts/./%2e/"),
      new URL(hers).pathname,
    ];
    for (const url of spelled) {
      expect(await refusalOf(remove(user, [mine, url]))).toEqual({
        status: 400,
        code: "not_your_upload",
        field: "urls",
      });
    }
    expect([await status(mine), await status(hers)]).toEqual([200, 200]);
  });

  it("takes a profile image away with its file", async () => {
    const user = await signIn(h);
    const imageUrl = await upload(user, png(), "avatar");
    await user.api.call(contract.profile.setImage, { imageUrl });
    await remove(user, [imageUrl]);
    expect(await user.api.call(contract.profile.getImage, {})).toEqual({ profileImage: null });
  });

  it("401 for a guest, 400 for no list, 403 without a nickname", async () => {
    expect((await h.send("DELETE", "/api/upload", { body: { urls: [] } })).status).toBe(401);
    expect(await h.send("DELETE", "/api/upload", { token: ada.token, body: {} })).toMatchObject({
      status: 400,
      body: { field: "urls" },
    });
    expect(await refusalOf(remove(await h.login(), []))).toMatchObject({ code: "nickname_required" });
  });
});

describe("the sweep", () => {
  it("removes what was never finished, an hour after its address ended, and no other", async () => {
    const user = await signIn(h);
    const kept = await upload(user);
    const { publicUrl } = await announce(user);
    // As if the process had died between file and row.
    const key = h.services.storage.keyOf(publicUrl) ?? "";
    await h.services.storage.put(key, png(), "image/png");
    const file = path.join(h.uploadsFolder, key);
    await sweepExpired(h.services);
    expect(existsSync(file)).toBe(true);
    clock += 4_200_001;
    await sweepExpired(h.services);
    expect(existsSync(file)).toBe(false);
    expect(await rowsOf(user)).toMatchObject([{ stored: true }]);
    expect(await status(kept)).toBe(200);
  });
});
