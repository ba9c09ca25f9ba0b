import type { MemberContext } from "@/lib/context";
import { Refusal } from "@/lib/errors";

/** How long after its proof a session may do what cannot be undone. */
export const freshProofMs = 10 * 60 * 1000;

/**
 * For what an open session must not be enough for: somebody at an unlocked screen, or with a stolen token, has that.
 * Renewing a session does not make its proof younger; signing in again does.
 * @throws Refusal fresh_proof_required
 */
export function assertFreshProof({ caller, now }: Pick<MemberContext, "caller" | "now">): void {
  if (now().getTime() - caller.session.provenAt.getTime() > freshProofMs) {
    throw new Refusal("fresh_proof_required");
  }
}
