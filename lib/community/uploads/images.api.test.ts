import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { MemberContext } from "@/lib/context";
import { contract } from "@/lib/contract";
import { s3Storage } from "@/lib/storage/s3";
import { type StubBucket, startStubBucket } from "@/lib/storage/testing/stub-bucket";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { dataUri, gif, images, jpeg, padded, png, svg } from "@/lib/testing/images";
import { clientWith, general, makePost, makeTopic, refusalOf, signIn } from "../testing";
import { assertImageUrl, placeImage, placeInlineImages } from "./images";
import { removeUploads, storeImages } from "./store";

let h: Harness;
let ada: TestUser;
let ctx: MemberContext;
let topicId: string;
beforeAll(async () => {
  h = await createHarness();
  ada = await signIn(h, "ada");
  ctx = await h.memberContext(ada.token);
  topicId = (await makeTopic(ada)).id;
});
afterAll(() => h.close());

const img = (src: string, alt = "") => `<img src="${src}" alt="${alt}">`;
const post = async (content: string) => await makePost(ada, topicId, "Pictures", content);
const sourcesIn = (html: string) => [...html.matchAll(/<img src="([^"]*)"/g)].map(([, src = ""]) => src);
const stored = async () => (await h.db.selectFrom("uploads").select("key").orderBy("key").execute()).length;
const serves = async (src: string) => {
  const response = await h.fetch(new URL(src, "http://localhost:3000"));
  return response.ok ? Buffer.from(await response.arrayBuffer()) : null;
};
/** An upload of this user, without the API. */
async function uploaded(user: TestUser, purpose: "post" | "topic" | "avatar" = "post") {
  const as = await h.memberContext(user.token);
  const [key = ""] = await storeImages(as, purpose, [png()], "file");
  return { key, url: h.services.storage.publicUrl(key) };
}

describe("images inside a post's text", () => {
  it("are moved to storage with their own type, and are returned by path", async () => {
    const content = Object.entries(images).map(
      ([type, bytes], i) => `<p>${i}${img(dataUri(bytes, type), "A & B")}</p>`,
    );
    const { content: html } = await post(content.join(""));
    const sources = sourcesIn(html);
    expect(sources).toHaveLength(4);
    for (const [i, [type, bytes]] of Object.entries(images).entries()) {
      expect(sources[i]).toMatch(new RegExp(`^/uploads/development/posts/${ada.userId}/`));
      expect(await serves(sources[i] ?? "")).toEqual(bytes);
      expect(html, type).toContain(`<p>${i}<img src="${sources[i]}" alt="A &amp; B" /></p>`);
    }
    const rows = h.db
      .selectFrom("uploads")
      .select("stored")
      .where(
        "key",
        "in",
        sources.map((s) => s.slice(9)),
      );
    expect(await rows.execute()).toEqual(Array.from({ length: 4 }, () => ({ stored: true })));
  });

  it("are found however the markup is written, and only where there is an image", async () => {
    const uri = dataUri(png());
    const { content } = await post(
      [
        `<IMG alt='x' SRC='${uri}'>`,
        `<img src=${uri}>`,
        `<img title="a>b" src = "${uri}"/>`,
        `<img src="${uri.replace("data:", " DATA:")}">`,
        `<img src="${uri.replace("data:", "d&#97;ta:")}">`,
        `<img src="${uri.replace("data:", "da\nta:")}">`,
        `<code>${uri.slice(0, 60)}</code><!-- ${img(uri)} -->`,
      ].join("<p>x</p>"),
    );
    const sources = sourcesIn(content);
    expect(sources).toHaveLength(6);
    expect(sources.every((src) => src.startsWith("/uploads/"))).toBe(true);
    expect(content).toContain(`<code>${uri.slice(0, 60)}</code>`);
  });

  it("are ten at most, all or none", async () => {
    const before = await stored();
    const eleven = Array.from({ length: 11 }, (_, i) => img(dataUri(png(1, 1, i)))).join("");
    expect(await refusalOf(post(eleven))).toEqual({ status: 400, code: "invalid_request", field: "content" });
    expect(await stored()).toBe(before);
    const ten = Array.from({ length: 10 }, (_, i) => img(dataUri(png(1, 1, i)))).join("");
    expect(sourcesIn((await post(ten)).content)).toHaveLength(10);
  });

  const good = img(dataUri(png()));
  it.each([
    ["SVG", img(dataUri(svg, "image/svg+xml")), 400, "upload_type"],
    ["SVG that says it is PNG", img(dataUri(svg)), 400, "upload_type"],
    ["HTML", img(dataUri(Buffer.from("<script>"), "text/html")), 400, "upload_type"],
    ["text that is not base64", img("data:image/png,%89PNG"), 400, "upload_type"],
    ["security F2: 450 KB of nested elements", "<b>".repeat(150_000), 400, "invalid_request"],
    ["broken base64", img("data:image/png;base64,iVBOR*"), 400, "upload_damaged"],
    ["a bomb", img(dataUri(png(60_000, 60_000))), 400, "upload_damaged"],
    ["more than 10 MB", img(dataUri(padded(png(), 10_000_001))), 413, "upload_too_large"],
  ])("make the whole write fail: %s", async (_, bad, status, code) => {
    const before = await stored();
    expect(await refusalOf(post(good + bad))).toEqual({ status, code, field: "content" });
    expect(await stored()).toBe(before);
  });

  it("accept 10 MB", async () => {
    const big = padded(png(), 10_000_000);
    const { content } = await post(img(dataUri(big)));
    expect((await serves(sourcesIn(content)[0] ?? ""))?.length).toBe(10_000_000);
  });

  it("are removed again if the post or storage fails", async () => {
    const before = await stored();
    expect(await refusalOf(post(good + "x".repeat(60_000)))).toMatchObject({ status: 400, field: "content" });
    expect(await stored()).toBe(before);
    let puts = 0;
    const storage: typeof h.services.storage = {
      ...h.services.storage,
      put: async (...file) => {
        puts += 1;
        if (puts === 2) throw new Error("disk full");
        await h.services.storage.put(...file);
      },
    };
    const api = clientWith(h, ada, { storage });
    expect(
      await refusalOf(api.call(contract.posts.create, { topicId, title: "T", content: good + good })),
    ).toMatchObject({ status: 500 });
    expect(puts).toBe(2);
    expect(await stored()).toBe(before);
  });

  it("may be uploads, named by their public address or by path", async () => {
    const { url } = await uploaded(ada);
    const path = new URL(url).pathname;
    const { content } = await post(img(url) + img(path) + img("https://elsewhere.example/a.png"));
    expect(sourcesIn(content)).toEqual([path, path, "https://elsewhere.example/a.png"]);
  });

  it("discard removes exactly what was placed", async () => {
    const { url } = await uploaded(ada);
    const placed = await placeInlineImages(ctx, img(url) + good);
    const [kept = "", made = ""] = sourcesIn(placed.html);
    expect(await serves(made)).not.toBeNull();
    await placed.discard();
    expect(await serves(made)).toBeNull();
    expect(await serves(kept)).not.toBeNull();
  });

  it("leave HTML without any as it is", async () => {
    for (const html of ["", "<p>a < b</p>", "<img>", "<img alt=x>", "<img src=''>", '<p title="<img">x']) {
      expect((await placeInlineImages(ctx, html)).html).toBe(html);
    }
  });
});

describe("an image of a topic", () => {
  const create = (image: string) =>
    ada.api.call(contract.topics.create, { title: "T", categoryId: general, image });

  it("is an upload of the caller, or a data URI that becomes one", async () => {
    const { url } = await uploaded(ada, "topic");
    expect((await create(url)).topic.image).toBe(url);
    expect((await create(new URL(url).pathname)).topic.image).toBe(url);
    const { topic } = await create(dataUri(gif(), "image/gif"));
    expect(topic.image).toMatch(
      new RegExp(`^http://localhost:3000/uploads/development/topics/${ada.userId}/`),
    );
    expect(await serves(topic.image ?? "")).toEqual(gif());
  });

  it("is the caller's own, not external, and exists", async () => {
    const eve = await signIn(h, "eve");
    const gone = await uploaded(ada);
    await removeUploads(h.services, [gone.key]);
    const { uploadUrl, publicUrl } = await ada.api.call(contract.uploads.create, {
      filename: "a.png",
      contentType: "image/png",
      size: 10,
    });
    const refused = [
      (await uploaded(eve)).url,
      gone.url,
      publicUrl,
      uploadUrl ?? "",
      "https://elsewhere.example/a.png",
      "javascript:alert(1)",
    ];
    for (const image of refused) {
      expect(await refusalOf(create(image)), image).toEqual({
        status: 400,
        code: "not_your_upload",
        field: "image",
      });
    }
    expect(await refusalOf(create(dataUri(svg)))).toEqual({
      status: 400,
      code: "upload_type",
      field: "image",
    });
  });
});

describe("an image address", () => {
  const check = (url: string) => assertImageUrl(ctx, url, "media.images.0");

  it("is https anywhere, or an upload that exists", async () => {
    const eve = await signIn(h, "eve");
    await check("https://elsewhere.example/a.png");
    await check((await uploaded(eve)).url);
    for (const url of [
      "http://elsewhere.example/a.png",
      "https://user:pass@elsewhere.example/",
      "http://localhost:3000/uploads/x",
      "http://localhost:3000/api/auth/logout",
      (await uploaded(ada)).url.replace(/[0-9a-f-]{36}/, "0b8f2b5e-9a3c-4a50-8b1f-0c2d5a4f7e61"),
      "data:image/png;base64,AAAA",
      "javascript:alert(1)",
      "x",
    ]) {
      await expect(check(url), url).rejects.toMatchObject({
        code: "invalid_request",
        details: { field: "media.images.0" },
      });
    }
  });
});

describe("with a bucket, whose uploads are not inspected", () => {
  let stub: StubBucket;
  let bucketed: MemberContext;
  beforeAll(async () => {
    const credentials = { accessKeyId: "id", secretAccessKey: "secret", region: "auto" };
    stub = await startStubBucket({ ...credentials, name: "parley" });
    const bucket = { ...credentials, endpoint: stub.url, publicUrl: "https://cdn.example" };
    bucketed = { ...ctx, storage: s3Storage(bucket, "development") };
  });
  afterAll(() => stub.close());

  /** Announces a PNG and PUTs these bytes, as a client does. */
  async function send(bytes: Buffer) {
    const api = clientWith(h, ada, { storage: bucketed.storage });
    const { uploadUrl = "", publicUrl } = await api.call(contract.uploads.create, {
      filename: "a.png",
      contentType: "image/png",
      size: bytes.length,
    });
    const headers = { "content-type": "image/png" };
    expect((await fetch(uploadUrl, { method: "PUT", headers, body: new Uint8Array(bytes) })).status).toBe(
      200,
    );
    const key = bucketed.storage.keyOf(publicUrl) ?? "";
    const row = async () =>
      await h.db.selectFrom("uploads").select("stored").where("key", "=", key).executeTakeFirst();
    return { publicUrl, key, row };
  }

  it("looks at them when their address is first used", async () => {
    for (const use of [
      (url: string) => placeImage(bucketed, "topic", url, "image"),
      (url: string) => placeInlineImages(bucketed, img(url)),
      (url: string) => assertImageUrl(bucketed, url, "media.images.0"),
    ]) {
      const { publicUrl, row } = await send(png());
      expect(await row()).toEqual({ stored: false });
      await use(publicUrl);
      expect(await row()).toEqual({ stored: true });
    }
  });

  it("refuses and removes what is not what it was announced as", async () => {
    for (const bytes of [svg, jpeg(), Buffer.from("<html>")]) {
      const { publicUrl, key, row } = await send(bytes);
      expect(stub.objects.has(key)).toBe(true);
      await expect(assertImageUrl(bucketed, publicUrl, "media.images.0")).rejects.toMatchObject({
        code: "upload_type",
      });
      expect(stub.objects.has(key)).toBe(false);
      expect(await row()).toBeUndefined();
    }
  });

  it("stores images of a text there, and refers to them by https", async () => {
    const { html, discard } = await placeInlineImages(bucketed, img(dataUri(png())));
    const [src = ""] = sourcesIn(html);
    expect(src).toMatch(/^https:\/\/cdn\.example\/development\/posts\//);
    expect(stub.objects.get(src.slice("https://cdn.example/".length))?.bytes).toEqual(png());
    await discard();
    expect(stub.objects.has(src.slice("https://cdn.example/".length))).toBe(false);
  });
});
