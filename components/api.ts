/**
 * The typed client of this site's own API, for the browser. Components of pages that are mostly read import it
 * when it is first used, so that the schemas are not part of the first load.
 */
import { ApiError, createClient } from "@/lib/client";
import { contract } from "@/lib/contract";
import type { Words } from "@/lib/i18n/words";

export { ApiError, contract };

export const api = createClient();

/** The sentence to show for anything a call may throw. */
export function sentence(words: Words, error: unknown): string {
  return error instanceof ApiError ? error.message : words.t("problems.network");
}

/** The stable word of a refusal, or null. */
export function codeOf(error: unknown): string | null {
  return error instanceof ApiError ? error.code : null;
}
