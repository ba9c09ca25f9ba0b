import { expect, it } from "vitest";
import { LIMITS, NICKNAME } from "@/lib/contract/limits";
import { proposedNickname } from "./proposed-nickname";

it("proposes names that the rules accept, hardly ever the same", () => {
  const names = Array.from({ length: 2_000 }, proposedNickname);
  for (const name of names) {
    expect(name).toMatch(NICKNAME);
    expect(name.length).toBeLessThanOrEqual(LIMITS.nickname.max);
  }
  expect(new Set(names).size).toBeGreaterThan(1_990);
});
