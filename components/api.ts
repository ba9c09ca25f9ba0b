/**
 * The typed client of this site's own API, for the browser. Components of pages that are mostly read import it
 * when it is first used, so that the schemas are not part of the first load.
 */
import { ApiError, createClient } from "@/lib/client";
import { forgetSaved } from "@/lib/client/saved";
import { contract } from "@/lib/contract";
import { type Locale, locales, type Words } from "@/lib/i18n/words";

export { ApiError, contract };

export const api = createClient({
  async fetch(input, init) {
    const response = await fetch(input, init);
    // The session ended: what was read with it must not be read without it.
    if (response.status === 401 && "caches" in globalThis) await forgetSaved().catch(() => undefined);
    if (!response.ok) await loadRefusals();
    return response;
  },
});

type Refusals = Readonly<Partial<Record<string, string>>>;

/**
 * Sentences of the API's refusals by code, in the languages that have them; the server speaks English, with its details. They
 * are no group of a catalogue, since no page should carry seventy sentences of which a reader meets none on most days.
 */
const refusals: Readonly<Partial<Record<Locale, () => Promise<Refusals>>>> = {
  ko: async () => (await import("@/lib/i18n/ko/refusals.json")).default,
};

const loaded = new Map<Locale, Refusals>();

/** Fetches what refusals are called in the reader's language, before the first of them is told. */
async function loadRefusals(): Promise<void> {
  // There is no document where pages are rendered ahead, and nothing is refused there.
  const locale = locales.find((one) => one === globalThis.document?.documentElement.lang) ?? locales[0];
  if (loaded.has(locale)) return;
  const sentences = await refusals[locale]?.().catch(() => undefined);
  if (sentences) loaded.set(locale, sentences);
}

// Uploads do not go through the client above, but may be refused too.
loadRefusals();

/**
 * The sentence to show for anything a call may throw. A refusal is told by its code where the reader's language has a sentence
 * for it, else as the server says it: in English, and with the details that only the server knows.
 */
export function sentence(words: Words, error: unknown): string {
  if (!(error instanceof ApiError)) return words.t("problems.network");
  if (error.status === 0) return words.t(navigator.onLine ? "problems.network" : "offline.nothingChanged");
  return refusalSentence(words, error.code) ?? error.message;
}

/** What a refusal's code means, where the reader's language says it better than the server did; else null. */
export function refusalSentence({ locale }: Words, code: string): string | null {
  return loaded.get(locale)?.[code] ?? null;
}

/** The stable word of a refusal, or null. */
export function codeOf(error: unknown): string | null {
  return error instanceof ApiError ? error.code : null;
}
