import { describe, expect, it } from "vitest";
import { claimantOf, deskAccess } from "./desk";

const no = "operator_required";

describe("deskAccess", () => {
  it.each([
    [null, { review: no, act: no, appoint: no }],
    ["reviewer", { review: "allowed", act: no, appoint: no }],
    ["operator", { review: "allowed", act: "allowed", appoint: "allowed" }],
  ] as const)("%s", (role, expected) => {
    expect(deskAccess(role)).toEqual(expected);
  });
});

describe("claimantOf", () => {
  const claimedAt = new Date("2026-11-25T10:00:00Z");
  it.each([
    ["2026-11-25T10:00:00Z", "u"],
    ["2026-11-25T11:59:59Z", "u"],
    ["2026-11-25T12:00:00Z", null],
  ])("at %s: %s", (now, expected) => {
    expect(claimantOf({ claimedBy: "u", claimedAt, now: new Date(now) })).toBe(expected);
  });

  it("is nobody without a claim", () => {
    expect(claimantOf({ claimedBy: null, claimedAt: null, now: claimedAt })).toBeNull();
  });
});
