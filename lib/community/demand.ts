import { Refusal } from "@/lib/errors";
import type { Verdict } from "@/lib/policy/verdict";

/** @throws Refusal unless the rule says allowed. */
export function demand(verdict: Verdict): void {
  if (verdict !== "allowed") throw new Refusal(verdict);
}
