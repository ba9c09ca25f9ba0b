import { describe, expect, it } from "vitest";
import { contentSecurityPolicy } from "./csp";

describe("content security policy", () => {
  it("allows no inline script and no inline style, and calls to the named origins only", () => {
    const policy = contentSecurityPolicy("abc", {
      connections: ["https://prover.example/x", "https://prover.example"],
      pictures: null,
      development: false,
    });
    expect(policy).not.toContain("unsafe");
    expect(policy).toContain("script-src 'self' 'nonce-abc' 'strict-dynamic';");
    expect(policy).toContain("style-src 'self' 'nonce-abc';");
    expect(policy).toContain("connect-src 'self' https://prover.example;");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("img-src 'self' data: blob:;");
  });

  it("allows pictures of the bucket, and of nobody else", () => {
    const policy = contentSecurityPolicy("abc", {
      connections: [],
      pictures: "https://cdn.example/p/",
      development: false,
    });
    expect(policy).toContain("img-src 'self' data: blob: https://cdn.example/p/;");
  });
});
