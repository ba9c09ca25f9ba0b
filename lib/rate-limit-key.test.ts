import { describe, expect, it } from "vitest";
import { rateLimitKeys } from "./rate-limit-key";

describe("rateLimitKeys", () => {
  it.each([
    ["192.0.2.1", "192.0.2.1", undefined],
    ["::ffff:192.0.2.1", "192.0.2.1", undefined],
    ["::ffff:c000:201", "192.0.2.1", undefined],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64", "2001:db8:1::/48"],
    ["2001:0DB8:0001:0002:ffff::", "2001:db8:1:2::/64", "2001:db8:1::/48"],
    ["2001:db8::1", "2001:db8::/64", "2001:db8::/48"],
    ["fe80::1%eth0", "fe80::/64", "fe80::/48"],
    ["::1", "::/64", "::/48"],
    ["unknown", "unknown", undefined],
    ["x".repeat(500), "x".repeat(64), undefined],
  ])("payments F19: %s counts as %s and %s", (address, key, site) => {
    expect(rateLimitKeys(address)).toEqual({ key, ...(site ? { site } : {}) });
  });

  it("payments F19: two networks whose zeros are elsewhere are two, and one network is one however it is written", () => {
    const { key } = rateLimitKeys("2001::1:2:3:4:5");
    expect(rateLimitKeys("2001::7:2:3:4:5").key).not.toBe(key);
    expect(rateLimitKeys("2001:0:0:1:2:3:4:5").key).toBe(key);
  });
});
