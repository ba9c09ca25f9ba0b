import type { Role } from "@/lib/contract/common";
import type { ErrorCode } from "@/lib/contract/errors";
import { Refusal } from "@/lib/errors";
import type { ProofState } from "./freshness";

/** The result of a rule: allowed, or the documented code of the refusal. */
export type Decision = "allowed" | ErrorCode;

/** The rights in a set of access rules. */
export type RightOf<Access> = {
  [Right in keyof Access]: Access[Right] extends Decision ? Right : never;
}[keyof Access];

/** @throws Refusal unless the decision is "allowed" */
export function assertAllowed(decision: Decision): void {
  if (decision !== "allowed") throw new Refusal(decision);
}

/** Returns the abilities that the rules allow, in the order of the list. */
export function allowedOf<A extends string>(
  abilities: readonly A[],
  access: Readonly<Record<A, Decision>>,
): A[] {
  return abilities.filter((ability) => access[ability] === "allowed");
}

/** The caller, as the rules of a topic see them. */
export interface Viewer {
  readonly signedIn: boolean;
  /** Role in the topic; null for someone who is not a member. */
  readonly role: Role | null;
  /** Whether they may not write in the topic now: muted there, silenced everywhere, or the topic is frozen. */
  readonly muted: boolean;
  /** Of their membership; "current" where the topic asks for no new proof, and for others. */
  readonly proof: ProofState;
  /** Whether they act on all topics as an operator (desk.ts). */
  readonly isAdmin: boolean;
}

/** Returns a signed-in user with this role, for rules about reading, which ignore mutes and global admins. */
export function readerWith(role: Role | null, proof: ProofState): Viewer {
  return { signedIn: true, role, muted: false, proof, isAdmin: false };
}

/** Whether a caller who may change content does it as an operator, and not as its author or its topic's staff. */
export function actsAsOperator(content: { readonly mine: boolean; readonly role: Role | null }): boolean {
  return !content.mine && !isStaff(content.role);
}

/** Whether this role moderates a topic. */
export function isStaff(role: Role | null): boolean {
  return role === "owner" || role === "admin";
}
