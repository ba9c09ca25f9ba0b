import { expect, it } from "vitest";
import { errors } from "@/lib/contract/errors";
import { isRefusal, Refusal } from "./errors";

it("knows a refusal thrown by another copy of the module", () => {
  class Refusal2 extends Error {
    override readonly name = "Refusal";
    readonly code = "not_a_member";
    readonly details = {};
  }
  expect(isRefusal(new Refusal2("only members"))).toBe(true);
  expect(isRefusal(new Refusal("not_a_member"))).toBe(true);
});

it("says the sentence of its code, or a more specific one", () => {
  expect(new Refusal("not_a_member").message).toBe(errors.not_a_member.message);
  expect(new Refusal("not_a_member", { message: "Ask for an invite." }).message).toBe("Ask for an invite.");
});

it("has the status of its code, or the one its details ask for", () => {
  expect(new Refusal("proof_required").status).toBe(402);
  expect(new Refusal("proof_required", { status: 403 }).status).toBe(403);
});

it("takes nothing else for a refusal", () => {
  for (const thrown of [new Error("no"), { name: "Refusal", code: "x", details: {} }, null, "Refusal"]) {
    expect(isRefusal(thrown)).toBe(false);
  }
});
