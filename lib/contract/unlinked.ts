import { z } from "zod";
import { dateTime, fieldElement, hexString } from "./common";

/** The proof of a membership. */
export const proofHex = hexString.length(2 + 2 * 7_616);

/** A proof of membership that can be linked with nothing but what it is about: it commits to the tag of no week. */
export const unlinked = z.object({
  slotNullifier: fieldElement,
  scopeNullifier: fieldElement,
  tagCommitment: fieldElement,
  proof: proofHex,
});

/** When the terms of a topic were read that a proof is about. */
export const termsAt = dateTime.describe("When the terms it is about were read: `at` of the topic's terms.");
