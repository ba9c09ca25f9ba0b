import { expect, it } from "vitest";
import { isRefusal, Refusal } from "./errors";

it("knows a refusal thrown by another copy of the module", () => {
  class Refusal2 extends Error {
    override readonly name = "Refusal";
    readonly code = "not_a_member";
    readonly details = {};
  }
  expect(isRefusal(new Refusal2("only members"))).toBe(true);
  expect(isRefusal(new Refusal("not_a_member", "only members"))).toBe(true);
});

it("takes nothing else for a refusal", () => {
  for (const thrown of [new Error("no"), { name: "Refusal", code: "x", details: {} }, null, "Refusal"]) {
    expect(isRefusal(thrown)).toBe(false);
  }
});
