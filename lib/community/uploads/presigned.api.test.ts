import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { jpeg, png, svg } from "@/lib/testing/images";
import { comeBack, identityOf } from "../profile/testing";
import { refusalOf, signIn } from "../testing";
import { uploadsOf } from "./testing";

let h: Harness;
let ada: TestUser;
let use: ReturnType<typeof uploadsOf>;
let clock = Date.now();
beforeAll(async () => {
  h = await createHarness({ now: () => new Date(clock) });
  use = uploadsOf(h);
  ada = await signIn(h, "ada");
});
afterAll(() => h.close());

describe("POST /api/upload, JSON", () => {
  it("201: a URL that accepts the bytes, which are then served", async () => {
    const user = await signIn(h);
    const { uploadUrl, publicUrl, expiresIn } = await use.announce(user, { filename: "../../My cat.png" });
    expect(expiresIn).toBe(600);
    expect(publicUrl).toMatch(
      new RegExp(
        `^http://localhost:3000/uploads/development/posts/${user.userId}/[0-9a-f-]{36}/[0-9a-f-]{36}\\.png$`,
      ),
    );
    expect(await use.status(publicUrl)).toBe(404);
    expect(await use.put(uploadUrl, png())).toEqual({ status: 200, code: null });
    const served = await h.fetch(publicUrl);
    expect(served.status).toBe(200);
    expect(Buffer.from(await served.arrayBuffer()).equals(png())).toBe(true);
    expect(Object.fromEntries(served.headers)).toMatchObject({
      "content-type": "image/png",
      "content-length": String(png().length),
      "cache-control": "public, max-age=60, must-revalidate",
      "cross-origin-resource-policy": "same-origin",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
    });
    expect(await use.rowsOf(user)).toMatchObject([{ stored: true, size: png().length }]);
    const known = await h.fetch(publicUrl, {
      headers: { "if-none-match": served.headers.get("etag") ?? "" },
    });
    expect(known.status).toBe(304);
  });

  it.each(["post", "topic", "avatar"] as const)("puts a %s upload into its folder", async (purpose) => {
    const { publicUrl } = await ada.api.call(contract.uploads.create, {
      filename: "a.jpg",
      contentType: "image/jpeg",
      size: 10,
      purpose,
    });
    expect(publicUrl).toContain(`/${purpose}s/${ada.userId}/`);
    expect(publicUrl).toMatch(/\/[0-9a-f-]{36}\.jpg$/);
  });

  it("withdrawing and returning with the same identity does not shed what was uploaded that day", async () => {
    const user = await signIn(h);
    await use.announce(user, { size: 10_000_000 });
    // As if of many files.
    await h.db.updateTable("uploads").set({ size: 499_000_000 }).where("user_id", "=", user.userId).execute();
    const identity = await identityOf(h, user);
    await user.api.call(contract.profile.deleteAccount, {});
    const back = await comeBack(h, identity);
    expect(await refusalOf(use.announce(back, { size: 2_000_000 }))).toMatchObject({
      code: "upload_too_large",
    });
    await use.announce(back, { size: 900_000 });
    const other = await signIn(h);
    await use.announce(other, { size: 2_000_000 });
  });

  it("security F19: all of a member's files have at most 500 MB, counted exactly", async () => {
    const user = await signIn(h);
    for (let n = 0; n < 49; n += 1) await use.announce(user, { size: 10_000_000 });
    const two = await Promise.allSettled([1, 2, 3].map(() => use.announce(user, { size: 5_000_000 })));
    expect(two.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "fulfilled", "rejected"]);
    expect(await refusalOf(use.announce(user, { size: 1 }))).toEqual({
      status: 413,
      code: "upload_too_large",
      field: "size",
    });
    expect(await use.form(user, new File([new Uint8Array(png())], "a.png"))).toMatchObject({ status: 413 });
  });

  it("refuses what is too large, or no image type, by field", async () => {
    expect(await refusalOf(use.announce(ada, { size: 10_000_001 }))).toEqual({
      status: 413,
      code: "upload_too_large",
      field: "size",
    });
    await use.announce(ada, { size: 10_000_000 });
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
    expect(await refusalOf(use.announce(await h.login()))).toMatchObject({
      status: 403,
      code: "nickname_required",
    });
  });
});

describe("PUT to an upload address", () => {
  const refused = { status: 403, code: "upload_signature" };

  it("accepts one file, once", async () => {
    const { uploadUrl, publicUrl } = await use.announce(ada);
    const tries = await Promise.all([1, 2, 3, 4, 5].map((seed) => use.put(uploadUrl, png(1, 1, seed))));
    expect(tries.map((one) => one.status).toSorted()).toEqual([200, 403, 403, 403, 403]);
    const served = await (await h.fetch(publicUrl)).arrayBuffer();
    expect(Buffer.from(served).equals(png(1, 1, tries.findIndex((one) => one.status === 200) + 1))).toBe(
      true,
    );
    expect(await use.put(uploadUrl, png())).toEqual(refused);
  });

  it("refuses another type, size, key or time", async () => {
    const { uploadUrl = "", publicUrl } = await use.announce(ada);
    expect(await use.put(uploadUrl, png(), { "content-type": "text/html" })).toEqual(refused);
    expect(await use.put(uploadUrl, png(), { "content-length": "5" })).toEqual(refused);
    expect(await use.put(uploadUrl, Buffer.concat([png(), Buffer.alloc(1)]))).toMatchObject({ status: 413 });
    expect(await use.put(uploadUrl, png().subarray(0, 60))).toEqual({ status: 400, code: "upload_damaged" });
    const eve = await signIn(h, "eve");
    expect(await use.put(uploadUrl.replace(ada.userId, eve.userId), png())).toEqual(refused);
    expect(await use.put(publicUrl, png())).toEqual(refused);
    clock += 600_000;
    expect(await use.put(uploadUrl, png())).toEqual(refused);
    expect(await use.status(publicUrl)).toBe(404);
  });

  it("looks at the bytes: what was announced as PNG must be one", async () => {
    const bytes = [svg, jpeg(), Buffer.from("<html><script>alert(1)</script></html>"), Buffer.alloc(100)];
    for (const body of bytes) {
      const { uploadUrl, publicUrl } = await use.announce(ada, { size: body.length });
      expect(await use.put(uploadUrl, body)).toEqual({ status: 400, code: "upload_type" });
      expect(await use.status(publicUrl)).toBe(404);
    }
  });

  it("ends with its owner's account", async () => {
    const user = await signIn(h);
    const { uploadUrl } = await use.announce(user);
    await user.api.call(contract.profile.deleteAccount, {});
    expect(await use.put(uploadUrl, png())).toEqual(refused);
  });

  it("other methods are 405, other paths 404", async () => {
    const { uploadUrl = "" } = await use.announce(ada);
    expect((await h.fetch(uploadUrl, { method: "POST" })).status).toBe(405);
    for (const at of ["x", "..%2f..%2fpackage.json", ".partial/x", "development/posts"]) {
      expect(await use.status(`http://localhost:3000/uploads/${at}`)).toBe(404);
    }
  });
});
