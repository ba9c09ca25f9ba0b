import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { contract } from "@/lib/contract";
import { xssPayloads } from "@/lib/html/testing";
import { type Site, startSite } from "./testing/site";

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());
beforeEach(() => {
  site.requests.length = 0;
});

const preview = (url: string) => site.h.guest.call(contract.previews.get, { url });
const failed = { status: 502, code: "upstream_failed" };
const empty = { title: "", description: "", image: "", siteName: "", favicon: "" };

describe("GET /api/og", () => {
  it("200: what a page says of itself, addresses made absolute", async () => {
    const url = site.page(`<!doctype html><head><title>Not &amp; this</title>
      <meta property="og:title" content="Cats &amp; dogs"><meta property="og:title" content="second">
      <meta property="og:description" content="  About
        both "><meta property="og:image" content="/cat.png?a=1&amp;b=2">
      <meta property="og:site_name" content="Pets"><meta property="og:url" content="https://bank.example/">
      <link rel="stylesheet" href="/x.css"><link rel="shortcut icon" href="../icon.png"></head>`);
    expect(await preview(`${url}#part`)).toEqual({
      title: "Cats & dogs",
      description: "About both",
      image: `${site.base}/cat.png?a=1&b=2`,
      siteName: "Pets",
      favicon: `${site.base}/icon.png`,
      url,
    });
  });

  it.each([
    ["nothing", "", {}],
    ["a title only", "<title> A\n b </title><title>c</title>", { title: "A b" }],
    [
      "twitter and plain names",
      '<meta name="twitter:title" content="T"><meta name="Description" content="D"><meta name="twitter:image" content="https://i.example/x.png">',
      { title: "T", description: "D", image: "https://i.example/x.png" },
    ],
    [
      "a base",
      '<base href="https://cdn.example/d/"><link rel=icon href=i.png>',
      { favicon: "https://cdn.example/d/i.png" },
    ],
    [
      "addresses nobody may follow",
      '<base href="javascript:alert(1)"><link rel=icon href="data:image/png;base64,AA"><meta property="og:image" content="javascript:alert(1)">',
      {},
    ],
    ["credentials in an address", '<meta property="og:image" content="https://a:b@i.example/x.png">', {}],
    ["turned text", "<title>a\u202eb\u0000c\u2066d</title>", { title: "a b c d" }],
    [
      "broken markup",
      "<title>open <b>x</b> <meta property=og:title content=T",
      { title: "open <b>x</b> <meta property=og:title content=T" },
    ],
  ])("reads %s", async (_, html, expected) => {
    const url = site.page(html);
    expect(await preview(url)).toEqual({ ...empty, ...expected, url });
  });

  it("shortens, by characters", async () => {
    const long = "😀".repeat(2_000);
    const url = site.page(
      `<title>${long}</title><meta name=description content="${long}"><meta property="og:image" content="/${"x".repeat(2_100)}">`,
    );
    const { title, description, image } = await preview(url);
    expect([[...title].length, [...description].length, image]).toEqual([300, 1_000, ""]);
    expect(title.isWellFormed()).toBe(true);
  });

  it("markup in metadata stays text", async () => {
    for (const payload of xssPayloads) {
      const escaped = payload.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
      const url = site.page(`<title>x</title><meta property="og:title" content="${escaped}">
        <meta property="og:image" content="${escaped}"><link rel="icon" href="${escaped}">`);
      const got = await preview(url);
      const words = payload.replace(/[\s\p{Cc}]+/gu, " ").trim();
      expect([...got.title].slice(0, 250).join("")).toBe([...words].slice(0, 250).join(""));
      for (const address of [got.image, got.favicon]) expect(address).toMatch(/^(https?:\/\/|$)/);
    }
    const { headers } = await site.h.send(
      "GET",
      `/api/og?url=${encodeURIComponent(site.page("<title>x</title>"))}`,
    );
    expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  });

  it("reads the page in the character set it names", async () => {
    const korean = Buffer.from([0xc7, 0xd1, 0xb1, 0xdb]);
    const titled = (text: Buffer, more = "") =>
      Buffer.concat([Buffer.from(`${more}<title>`), text, Buffer.from("</title>")]);
    const byHeader = site.page(titled(korean), { "content-type": "text/html; charset=euc-kr" });
    expect((await preview(byHeader)).title).toBe("한글");
    const byMeta = site.page(titled(korean, '<meta charset="euc-kr">'));
    expect((await preview(byMeta)).title).toBe("한글");
    const unknown = site.page(titled(Buffer.from("한글")), { "content-type": "text/html; charset=nonsense" });
    expect((await preview(unknown)).title).toBe("한글");
  });

  it("is kept for an hour, for everybody, under one spelling", async () => {
    const set = vi.spyOn(site.h.services.cache, "set");
    const url = site.page("<title>first</title>");
    expect((await preview(url)).title).toBe("first");
    site.answer((response) =>
      response.writeHead(200, { "content-type": "text/html" }).end("<title>second</title>"),
    );
    expect((await preview(`${url}#x`)).title).toBe("first");
    expect((await preview(url.replace("site.example", "SITE.example"))).title).toBe("first");
    expect(site.requests).toHaveLength(1);
    const [[key = "", , seconds] = []] = set.mock.calls;
    expect([set.mock.calls.length, seconds]).toEqual([1, 3_600]);
    set.mockRestore();
    await site.h.services.cache.delete(key);
    expect((await preview(url)).title).toBe("second");
  });

  it("sends nothing of the reader's, and keeps nothing between requests", async () => {
    const url = site.page("<title>x</title>");
    await site.h.send("GET", `/api/og?url=${encodeURIComponent(url)}`, {
      headers: { referer: "https://parley.example/secret", "x-forwarded-for": "203.0.113.9" },
      cookie: undefined,
    });
    expect(Object.keys(site.requests[0]?.headers ?? {}).toSorted()).toEqual([
      ...["accept", "accept-encoding", "connection", "host", "user-agent"],
    ]);
    expect(site.requests[0]?.headers.connection).toBe("close");
  });

  it("reads no more than the beginning of a page, and needs no more than it", async () => {
    let sent = 0;
    const endless = (response: ServerResponse) => {
      const more = () => {
        while (!response.destroyed && sent < 50_000_000) {
          sent += 64 * 1024;
          if (!response.write("x".repeat(64 * 1024))) return void response.once("drain", more);
        }
      };
      more();
    };
    site.answer((response) => {
      response.writeHead(200, { "content-type": "text/html" });
      response.write("<title>Long</title>");
      endless(response);
    });
    expect((await preview(`${site.base}/endless`)).title).toBe("Long");
    expect(sent).toBeLessThan(20_000_000);
  });

  it("what is no page says nothing", async () => {
    const url = site.page(JSON.stringify({ title: "x" }), { "content-type": "application/json" });
    expect(await preview(url)).toEqual({ ...empty, url });
  });

  it("follows redirects and says where it ended", async () => {
    site.answer((response, path) => {
      if (path === "/from") response.writeHead(301, { location: "/to" }).end();
      else response.writeHead(200, { "content-type": "text/html" }).end("<title>There</title>");
    });
    expect(await preview(`${site.base}/from`)).toEqual({ ...empty, title: "There", url: `${site.base}/to` });
  });

  it.each([
    ["404", (r: ServerResponse) => r.writeHead(404).end("<title>x</title>")],
    ["500", (r: ServerResponse) => r.writeHead(500).end()],
    ["204", (r: ServerResponse) => r.writeHead(204).end()],
    ["a redirect nowhere", (r: ServerResponse) => r.writeHead(302).end()],
    [
      "a redirect to a file",
      (r: ServerResponse) => r.writeHead(302, { location: "file:///etc/passwd" }).end(),
    ],
    ["a hung up connection", (r: ServerResponse) => r.destroy()],
    [
      "compressed bytes nobody asked for",
      (r: ServerResponse) =>
        r.writeHead(200, { "content-type": "text/html", "content-encoding": "gzip" }).end("x"),
    ],
  ])("502 for %s, which is not kept", async (what, answering) => {
    site.answer(answering);
    const url = `${site.base}/${encodeURIComponent(what)}`;
    expect(await site.refused("og", { url })).toMatchObject(failed);
    site.answer((response) =>
      response.writeHead(200, { "content-type": "text/html" }).end("<title>Well</title>"),
    );
    expect((await preview(url)).title).toBe("Well");
  });

  it("502 for silence and for half a page, after the time limit", async () => {
    const hurried = await startSite({ timeoutMs: 700 });
    hurried.answer(() => undefined);
    expect(await hurried.refused("og", { url: `${hurried.base}/silence` })).toMatchObject(failed);
    hurried.answer((response) => response.writeHead(200, { "content-type": "text/html" }).write("<title>x"));
    expect(await hurried.refused("og", { url: `${hurried.base}/half` })).toMatchObject(failed);
    await hurried.close();
  });

  it("400 for what is no public http address, by field", async () => {
    for (const url of [
      "x",
      "ftp://a.example/",
      "http://user:pass@a.example/",
      "http://localhost/",
      "http://10.0.0.1/",
    ]) {
      expect(await site.refused("og", { url })).toEqual({
        status: 400,
        code: "address_not_allowed",
        field: "url",
      });
    }
    expect(await site.refused("og", {})).toEqual({ status: 400, code: "invalid_request", field: "url" });
    expect(await site.refused("og", { url: `${site.base}/${"x".repeat(2_000)}` })).toMatchObject({
      status: 400,
      field: "url",
    });
    expect(site.requests).toEqual([]);
  });
});
