import { Refusal } from "@/lib/errors";

/** What a proof depends on cannot be asked now; neither proof nor challenge is used up. */
export function unavailable(cause: Error): Refusal {
  return new Refusal(
    "verification_unavailable",
    "The proof cannot be checked right now. Try again; nothing was used up.",
    { cause, retryAfter: 5 },
  );
}
