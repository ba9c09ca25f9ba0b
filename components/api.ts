/**
 * The typed client of this site's own API, for the browser. Components of pages that are mostly read import it
 * when it is first used, so that the schemas are not part of the first load.
 */
import { ApiError, createClient } from "@/lib/client";
import { forgetSaved } from "@/lib/client/saved";
import { contract } from "@/lib/contract";
import type { Words } from "@/lib/i18n/words";

export { ApiError, contract };

export const api = createClient({
  async fetch(input, init) {
    const response = await fetch(input, init);
    // The session ended: what was read with it must not be read without it.
    if (response.status === 401 && "caches" in globalThis) await forgetSaved().catch(() => undefined);
    return response;
  },
});

/** The sentence to show for anything a call may throw. */
export function sentence(words: Words, error: unknown): string {
  const isUnanswered = error instanceof ApiError && error.status === 0;
  if (isUnanswered && !navigator.onLine) return words.t("offline.nothingChanged");
  return error instanceof ApiError ? error.message : words.t("problems.network");
}

/** The stable word of a refusal, or null. */
export function codeOf(error: unknown): string | null {
  return error instanceof ApiError ? error.code : null;
}
