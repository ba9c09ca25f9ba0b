/**
 * The typed client of this site's API, for the browser. Most components import it on first use (call-api.ts), so that
 * its schemas are not part of the first load.
 */
import { ApiError, createClient } from "@/lib/client";
import { forgetSaved } from "@/lib/client/saved";
import { newTraceparent } from "@/lib/client/traceparent";
import { contract } from "@/lib/contract";
import { type Locale, locales, type Words } from "@/lib/i18n/words";

export { ApiError, contract };

export const api = createClient({
  async fetch(input, init) {
    const headers = new Headers(init?.headers);
    if (!headers.has("traceparent")) headers.set("traceparent", newTraceparent());
    const response = await fetch(input, { ...init, headers });
    // The session ended: delete the offline copies of its pages.
    if (response.status === 401 && "caches" in globalThis) await forgetSaved().catch(() => undefined);
    if (!response.ok) await loadRefusals();
    return response;
  },
});

type Refusals = Readonly<Partial<Record<string, string>>>;

/** Translations of the API's error messages by code. They load on the first error: few pages ever show one. */
const refusals: Readonly<Partial<Record<Locale, () => Promise<Refusals>>>> = {
  ko: async () => (await import("@/lib/i18n/ko/refusals.json")).default,
};

const loaded = new Map<Locale, Refusals>();

/** Loads the error messages in the reader's language. */
async function loadRefusals(): Promise<void> {
  // There is no document during server rendering.
  const locale = locales.find((one) => one === globalThis.document?.documentElement.lang) ?? locales[0];
  if (loaded.has(locale)) return;
  const sentences = await refusals[locale]?.().catch(() => undefined);
  if (sentences) loaded.set(locale, sentences);
}

// Uploads bypass the client above, but can fail too.
loadRefusals();

/** Returns the sentence to show for an error: translated by its code where possible, else the server's message. */
export function sentence(words: Words, error: unknown): string {
  if (!(error instanceof ApiError)) return words.t("problems.network");
  if (error.status === 0) return words.t(navigator.onLine ? "problems.network" : "offline.nothingChanged");
  return refusalSentence(words, error.code) ?? error.message;
}

/** Returns the translation of an error code; null where there is none. */
export function refusalSentence({ locale }: Words, code: string): string | null {
  return loaded.get(locale)?.[code] ?? null;
}

/** Returns the code of an API error, or null. */
export function codeOf(error: unknown): string | null {
  return error instanceof ApiError ? error.code : null;
}
