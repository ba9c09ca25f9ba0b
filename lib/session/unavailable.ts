import { Refusal } from "@/lib/errors";

/** What a proof depends on cannot be asked now; neither proof nor challenge is used up. */
export function unavailable(cause: Error): Refusal {
  return new Refusal("verification_unavailable", {
    cause,
    retryAfter: 5,
  });
}
