import { readFileSync } from "node:fs";
import path from "node:path";
import { POINT_BYTES } from "../ceremony";
import { MembershipVerifier } from "./verifier";

/** Read by path, so next.config.ts names it for whoever packages the app. */
const KEY = path.join("circuits", "artifacts", "anonymous_membership.vk");

/**
 * Returns a verifier on the committed key. The ceremony's first point is the generator of the curve, (1, 2): no file is
 * needed for it.
 */
export function openMembershipVerifier(): MembershipVerifier {
  return new MembershipVerifier(() => {
    const generator = new Uint8Array(POINT_BYTES);
    generator.set([1], POINT_BYTES / 2 - 1);
    generator.set([2], POINT_BYTES - 1);
    const key = readFileSync(path.join(/* turbopackIgnore: true */ process.cwd(), KEY));
    return { verificationKey: new Uint8Array(key), points: generator, threads: 1 };
  });
}
