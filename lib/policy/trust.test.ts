import { describe, expect, it } from "vitest";
import { countsAsRepeatable, exceededKind, newAccount, type Standing, type TrustSettings } from "./trust";

const settings: TrustSettings = { spamLimits: true, consumerAccounts: "allow" };
const now = new Date("2026-11-22T12:00:00.000Z");
const aged = (hours: number, more: Partial<Standing> = {}): Standing => ({
  createdAt: new Date(now.getTime() - hours * 3_600_000),
  accepted: 3,
  isConsumer: false,
  ...more,
});
const inHours = (hours: number) => new Date(now.getTime() + hours * 3_600_000);

describe("newAccount", () => {
  it.each([
    ["a day old with three accepted posts", aged(24), null],
    ["too young", aged(23), { until: inHours(1), acceptedMissing: 0 }],
    ["old without posts", aged(1000, { accepted: 0 }), { until: null, acceptedMissing: 3 }],
    ["young with one post", aged(0, { accepted: 1 }), { until: inHours(24), acceptedMissing: 2 }],
    ["of a consumer mail provider, as any other", aged(24, { isConsumer: true }), null],
  ])("%s", (_, standing, expected) => {
    expect(newAccount(standing, settings, now)).toEqual(expected);
  });

  it("asks more of accounts of consumer mail providers where they are limited", () => {
    const limited: TrustSettings = { ...settings, consumerAccounts: "limit" };
    expect(newAccount(aged(24), limited, now)).toBeNull();
    expect(newAccount(aged(24, { isConsumer: true }), limited, now)).toEqual({
      until: inHours(7 * 24 - 24),
      acceptedMissing: 7,
    });
    expect(newAccount(aged(7 * 24, { isConsumer: true, accepted: 10 }), limited, now)).toBeNull();
  });
});

it("exceededKind names the first limit that a text exceeds", () => {
  const full = { links: 2, images: 4, mentions: 5 };
  expect(exceededKind(full)).toBeNull();
  expect(exceededKind({ ...full, links: 3, mentions: 6 })).toBe("links");
  expect(exceededKind({ ...full, images: 5 })).toBe("images");
  expect(exceededKind({ ...full, mentions: 6 })).toBe("mentions");
});

it("short texts may be repeated, unless they have a link", () => {
  const usage = { links: 0, images: 0, mentions: 0 };
  expect(countsAsRepeatable("thank you", usage)).toBe(false);
  expect(countsAsRepeatable("thank you", { ...usage, links: 1 })).toBe(true);
  expect(countsAsRepeatable("a sentence of some length", usage)).toBe(true);
});
