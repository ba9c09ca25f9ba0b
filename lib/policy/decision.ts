import type { Role } from "@/lib/contract/common";
import type { ErrorCode } from "@/lib/contract/errors";
import { Refusal } from "@/lib/errors";

/** What a rule says: allowed, or the documented code of the refusal. */
export type Decision = "allowed" | ErrorCode;

/** @throws Refusal unless the rule says allowed. */
export function assertAllowed(decision: Decision): void {
  if (decision !== "allowed") throw new Refusal(decision);
}

/** The abilities of a list that the rules allow, in its order. */
export function allowedOf<A extends string>(
  abilities: readonly A[],
  access: Readonly<Record<A, Decision>>,
): A[] {
  return abilities.filter((ability) => access[ability] === "allowed");
}

/** Who asks, as far as a topic is concerned. */
export interface Viewer {
  readonly signedIn: boolean;
  /** Role in the topic in question; null for everybody else. */
  readonly role: Role | null;
  /** Muted in the topic now. */
  readonly muted: boolean;
  /** Global admin, by configuration. */
  readonly isAdmin: boolean;
}

/** A signed-in user with this role, of whom nothing else matters to the question: reading knows no mute and no admin. */
export function readerWith(role: Role | null): Viewer {
  return { signedIn: true, role, muted: false, isAdmin: false };
}

/** Whether this role looks after a topic. */
export function isStaff(role: Role | null): boolean {
  return role === "owner" || role === "admin";
}
