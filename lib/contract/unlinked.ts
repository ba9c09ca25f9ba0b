import { z } from "zod";
import { fieldElement, hexString } from "./common";

/** The proof of a membership. */
export const proofHex = hexString.length(2 + 2 * 7_616);

/** A proof of membership that can be linked with nothing but what it is about: it commits to the tag of no week. */
export const unlinked = z.object({
  slotNullifier: fieldElement,
  scopeNullifier: fieldElement,
  tagCommitment: fieldElement,
  proof: proofHex,
});
