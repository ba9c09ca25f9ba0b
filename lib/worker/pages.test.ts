import { describe, expect, it } from "vitest";
import { assetsOf, isPage, savedAddress, titleOf, viewerOf, withMeta } from "./pages";
import { pageOf } from "./testing";

const at = "https://parley.example";
const id = "6f0a1c9e-8d57-4b1e-9a43-0c5d2b7e1f00";

describe("what may be kept", () => {
  it.each([
    ["/", "/"],
    ["/?sort=new", "/?sort=new"],
    ["/?view=my&sort=new&_rsc=1a2b", "/?sort=new&view=my"],
    ["/topics", "/topics"],
    [`/topics/${id}?sort=top`, `/topics/${id}?sort=top`],
    [`/posts/${id}?comment=${id}`, `/posts/${id}`],
    ["/offline?to=%2Fposts%2F1", "/offline"],
  ])("%s is kept as %s", (path, key) => {
    expect(savedAddress(at + path)).toBe(at + key);
  });

  it.each([
    "/sign-in",
    "/sign-in?next=/",
    "/auth/callback",
    "/phone/abc",
    "/invite/ABCD2345",
    "/profile",
    "/profile/sessions",
    "/settings",
    "/alerts",
    "/write",
    "/topics/new",
    `/topics/${id}/new`,
    `/topics/${id}/join`,
    `/topics/${id}/chat`,
    `/topics/${id}/members`,
    `/topics/${id}?tab=about`,
    `/posts/${id}?cursor=abc`,
    `/posts/${id}/edit`,
    "/?cursor=abc",
    "/topics?q=words+I+looked+for",
    "/api/feed",
    "/uploads/prod/x.png",
  ])("%s is not kept", (path) => {
    expect(savedAddress(at + path)).toBeNull();
  });

  it("is a page that was answered as such", () => {
    expect(isPage(pageOf("guest"))).toBe(true);
    expect(isPage(pageOf("guest", "x", { status: 404 }))).toBe(false);
    expect(isPage(pageOf("guest", "x", { headers: { "content-type": "text/x-component" } }))).toBe(false);
    const opaque = new Response("x", { headers: { "content-type": "text/html" } });
    expect(isPage(opaque)).toBe(false);
    const redirected = pageOf("guest");
    Object.defineProperty(redirected, "redirected", { value: true });
    expect(isPage(redirected)).toBe(false);
  });
});

describe("a page's HTML", () => {
  it("says whose it is", async () => {
    expect(viewerOf(await pageOf("u_0123abc").text())).toBe("u_0123abc");
    expect(viewerOf(await pageOf(null).text())).toBeNull();
    expect(viewerOf('<p>&lt;meta name="parley-viewer" content="u_1"></p>')).toBeNull();
  });

  it("names its title", () => {
    expect(titleOf("<title>A &amp; B &lt;3 &#x27;c&#x27;</title>")).toBe("A & B <3 'c'");
    expect(titleOf("<p></p>")).toBe("");
  });

  it("names its scripts and styles, in tags and in what scripts are told", () => {
    const html = String.raw`<link href="/_next/static/chunks/a.css"/><script src="/_next/static/chunks/b-1.js" async></script>
      <script>push({"otherChunks":["static/chunks/c.js"]});push("2:\"/_next/static/chunks/d~x.js\"\n/_next/static/chunks/b-1.js")</script>
      <img src="/uploads/e.js"/>`;
    expect(assetsOf(html)).toEqual([
      "/_next/static/chunks/a.css",
      "/_next/static/chunks/b-1.js",
      "/_next/static/chunks/c.js",
      "/_next/static/chunks/d~x.js",
    ]);
  });

  it("takes a mark in its head", () => {
    expect(withMeta("<html><head><title>x</title></head><body><head>", "n", `"<&`)).toBe(
      '<html><head><meta name="n" content="&quot;&lt;&amp;"/><title>x</title></head><body><head>',
    );
  });
});
