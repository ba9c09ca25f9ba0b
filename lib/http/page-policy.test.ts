import { describe, expect, it } from "vitest";
import { testDeployment } from "@/lib/testing/deployment";
import { pagePolicy } from "./page-policy";

const { services, ...rest } = testDeployment();
const deployment = {
  ...rest,
  services: { ...services, proverUrl: "https://prover.example/x" },
  chains: [],
  issuers: [],
  attestations: undefined,
};
const sources = { deployment, storageUrl: undefined, development: false };

describe("content security policy", () => {
  it("allows scripts with the nonce, no inline style, and calls to the named origins only", () => {
    const policy = pagePolicy({ nonce: "abc" }, { ...sources, ownProver: "https://own.example" });
    expect(policy).not.toContain("unsafe");
    expect(policy).toContain("script-src 'self' 'nonce-abc' 'strict-dynamic';");
    expect(policy).toContain("style-src 'self' 'nonce-abc';");
    expect(policy).toContain("connect-src 'self' https://prover.example https://own.example;");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("img-src 'self' data: blob:;");
  });

  it("allows scripts with the hashes and those of this site, and no inline style", () => {
    const policy = pagePolicy({ hashes: ["sha256-a=", "sha256-b="] }, sources);
    expect(policy).toContain("script-src 'self' 'sha256-a=' 'sha256-b=';");
    expect(policy).toContain("style-src 'self';");
  });

  it("allows pictures of the bucket, and of nobody else", () => {
    const storageUrl = "s3+https://id:secret@s3.example/bucket?public=https://cdn.example/p";
    const policy = pagePolicy({ nonce: "abc" }, { ...sources, storageUrl });
    expect(policy).toContain("img-src 'self' data: blob: https://cdn.example/p/;");
    expect(policy).toContain("connect-src 'self' https://prover.example https://s3.example;");
    expect(policy).not.toContain("secret");
  });
});
