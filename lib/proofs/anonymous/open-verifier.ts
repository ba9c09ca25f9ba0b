import key from "../../../circuits/artifacts/anonymous_membership.vk.json" with { type: "json" };
import { POINT_BYTES } from "../ceremony";
import { fromBase64 } from "../packed";
import { MembershipVerifier, type VerifierParts } from "./verifier";

/** The circuit's key for the ceremony's points, as `npm run circuits:build` writes it. */
export const membershipKey = (): Uint8Array => fromBase64(key);

/**
 * Returns a verifier on the committed key. The ceremony's first point is the generator of the curve, (1, 2): no file is
 * needed for it. @param backend see `VerifierParts`
 */
export function openMembershipVerifier(backend?: VerifierParts["backend"]): MembershipVerifier {
  return new MembershipVerifier(() => {
    const generator = new Uint8Array(POINT_BYTES);
    generator.set([1], POINT_BYTES / 2 - 1);
    generator.set([2], POINT_BYTES - 1);
    return { verificationKey: membershipKey(), points: generator, threads: 1, backend };
  });
}
