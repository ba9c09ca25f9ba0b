import { describe, expect, it } from "vitest";
import { deskActs } from "@/lib/contract/desk";
import { reportedKinds } from "@/lib/contract/moderation";
import { claimantOf, deskAccess, deskActsOn, mayActOn, mayShowAgain, mayUndoFor } from "./desk";

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

describe("acts with a decision", () => {
  const content = ["hide", "delete", "take_files_down"];
  it.each([
    ["post", content],
    ["comment", content],
    ["message", content],
    ["topic", ["freeze", "take_files_down"]],
    ["profile", ["reset_nickname", "remove_image", "take_files_down"]],
    ["tag", ["remove_tag"]],
  ] as const)("on a %s: %j for operators, none for others", (kind, expected) => {
    expect(deskActsOn(kind, "operator")).toEqual(expected);
    for (const act of deskActs) {
      const fits = expected.some((one) => one === act);
      expect(mayActOn(kind, act, "operator")).toBe(fits ? "allowed" : "act_not_possible");
      for (const role of ["reviewer", null] as const) expect(mayActOn(kind, act, role)).toBe(no);
    }
    for (const role of ["reviewer", null] as const) expect(deskActsOn(kind, role)).toEqual([]);
  });

  it("every act fits something", () => {
    const fitting = reportedKinds.flatMap((kind) => [...deskActsOn(kind, "operator")]);
    expect(deskActs.filter((act) => !fitting.includes(act))).toEqual([]);
  });
});

describe("undoing what operators did", () => {
  it.each([
    [false, false, null, "allowed"],
    [false, true, "operator", "allowed"],
    [true, false, null, "hidden_by_operators"],
    [true, false, "reviewer", "hidden_by_operators"],
    [true, true, null, "hidden_by_operators"],
    [true, false, "operator", "allowed"],
    [true, true, "operator", "own_case"],
  ] as const)("hidden by operators %s, mine %s, as %s: %s", (hiddenByOperators, mine, role, expected) => {
    expect(mayShowAgain({ hiddenByOperators, mine }, role)).toBe(expected);
  });

  it("is for another operator than whom it is about", () => {
    expect([mayUndoFor("a", "a"), mayUndoFor("a", "b"), mayUndoFor(null, "b")]).toEqual([
      "own_case",
      "allowed",
      "allowed",
    ]);
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
