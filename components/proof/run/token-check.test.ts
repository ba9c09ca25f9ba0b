import { describe, expect, it } from "vitest";
import { words } from "@/lib/i18n/english";
import { tokenProblem } from "./token-check";

const b64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const now = Math.floor(Date.now() / 1000);
const claims = {
  iss: "https://id.example",
  sub: "1",
  aud: "web",
  exp: now + 3600,
  iat: now,
  email: "ada@acme.example",
  email_verified: true,
  nonce: "n-1",
};
const tokenOf = (change: object) =>
  `${b64({ alg: "RS256", kid: "k" })}.${b64({ ...claims, ...change })}.${Buffer.alloc(256, 1).toString("base64url")}`;
const challenge = { id: "c", nonce: "n-1", expiresAt: 0 };
const subject = { kind: "domain", state: "s", issuer: "I", provider: "provider_a", domain: null } as const;
const check = (change: object, requiredDomain: string | null = "acme.example") =>
  tokenProblem(
    words,
    { challenge, subject: { ...subject, requiredDomain, token: tokenOf(change) } },
    "zk-community",
  );

describe("before anybody pays", () => {
  it("nothing speaks against a token of the right domain", () => {
    expect(check({})).toBeNull();
    expect(check({ email: "ada@other.example" }, null)).toBeNull();
  });

  it("another domain, another sign-in's nonce and an unverified address stop the run", () => {
    expect(check({ email: "ada@other.example" })?.message).toContain("other.example");
    expect(check({ nonce: "n-2" })?.final).toBe(true);
    expect(check({ email_verified: false })?.final).toBe(true);
    expect(check({ exp: now - 7200 })?.final).toBe(true);
  });
});
