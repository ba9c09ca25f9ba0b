import type { MemberContext } from "@/lib/context";
import { Refusal } from "@/lib/errors";

/** How long after its proof a session may do what cannot be undone. */
export const FRESH_PROOF_MS = 10 * 60 * 1000;

/**
 * Requires a fresh proof where a session alone is not enough, since someone at an unlocked screen or with a stolen
 * token has that too. Renewing a session does not renew its proof; signing in again does. A token for automation never
 * counts as proof.
 * @throws Refusal fresh_proof_required
 */
export function assertFreshProof({ caller, now }: Pick<MemberContext, "caller" | "now">): void {
  const age = now().getTime() - caller.session.provenAt.getTime();
  if (caller.automation || age > FRESH_PROOF_MS) {
    throw new Refusal("fresh_proof_required");
  }
}
