import { describe, expect, it } from "vitest";
import { pictureAddress } from "./picture-address";

const own = { site: "https://parley.example", bucket: "https://store.example/parley/" };

describe("the address of a picture that a post names", () => {
  it.each([
    ["/uploads/a.png", "/uploads/a.png"],
    ["https://parley.example/uploads/a.png?v=1", "/uploads/a.png?v=1"],
    [
      "https://store.example/parley/production/posts/a.png",
      "https://store.example/parley/production/posts/a.png",
    ],
    ["data:image/png;base64,AAAA", "data:image/png;base64,AAAA"],
    ["blob:https://parley.example/1", "blob:https://parley.example/1"],
  ])("ours comes as it is: %s", (named, address) => {
    expect(pictureAddress(named, own)).toBe(address);
  });

  it.each([
    "https://elsewhere.example/who?reader=1&post=2",
    "http://elsewhere.example/a.png",
    "HTTPS://ELSEWHERE.example/a.png",
    "//elsewhere.example/a.png",
    "\\\\elsewhere.example/a.png",
    "https://parley.example@elsewhere.example/a.png",
    "https://parley.example.elsewhere.example/a.png",
    "http://parley.example/a.png",
    "http://store.example/parley/a.png",
    "https://store.example:8443/parley/a.png",
    // Other people's buckets at the same host.
    "https://store.example/a.png",
    "https://store.example/parley-too/a.png",
    "https://store.example/parley/../other/a.png",
    "https://store.example/parley/%2e%2e/other/a.png",
  ])("any other comes through this site: %s", (named) => {
    const address = new URL(pictureAddress(named, own), own.site);
    expect(address.origin + address.pathname).toBe(`${own.site}/api/og/image`);
    expect(address.searchParams.get("src")).toBe(new URL(named, own.site).href);
  });

  it("without a bucket nothing else is ours", () => {
    expect(pictureAddress("https://store.example/parley/a.png", { ...own, bucket: null })).toMatch(
      /^\/api\/og\/image\?/,
    );
  });
});
