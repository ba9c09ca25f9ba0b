import { describe, expect, it } from "vitest";
import { inviteTokenHash, newInviteCode, readInvite } from "./invite-code";

describe("newInviteCode", () => {
  const codes = Array.from({ length: 4_000 }, newInviteCode);

  it("is 8 characters without look-alikes", () => {
    for (const code of codes) expect(code).toMatch(/^[2-9A-HJKMNP-Z]{8}$/);
  });

  // 32,000 characters over 31 symbols: 1032 each, standard deviation 32. Six deviations is no accident.
  it("uses every symbol equally often", () => {
    const seen = new Map<string, number>();
    for (const symbol of codes.join("")) seen.set(symbol, (seen.get(symbol) ?? 0) + 1);
    expect(seen.size).toBe(31);
    for (const count of seen.values()) expect(Math.abs(count - 32_000 / 31)).toBeLessThan(6 * 32);
  });
});

describe("readInvite", () => {
  it("reads a code in any case", () => {
    expect(readInvite("abcd2345")).toEqual({ kind: "code", code: "ABCD2345" });
  });
  it("reads a token as its hash only", () => {
    const token = "0123456789abcdef";
    expect(readInvite(token)).toEqual({ kind: "token", tokenHash: inviteTokenHash(token) });
    expect(JSON.stringify(readInvite(token))).not.toContain(token);
  });
  it.each(["", "short", "ninechars", "0123456789abcdeg", "abcd 234", "ÄBCD2345"])("refuses %j", (written) => {
    expect(readInvite(written)).toBeNull();
  });
});
