import type { Words } from "@/lib/i18n/words";

/** The caller of this site's API; it is fetched when something is done with it for the first time. */
export type Client = typeof import("@/components/api");

export type Attempt<T> =
  | { readonly ok: true; readonly value: T }
  /** `code` is the stable word of the refusal, or "network"; `sentence` is for people. */
  | { readonly ok: false; readonly code: string | null; readonly sentence: string };

/** Does something by the API and turns every way it can fail into a value, a network without answer among them. */
export async function attempt<T>(words: Words, work: (client: Client) => Promise<T>): Promise<Attempt<T>> {
  let client: Client;
  try {
    client = await import("@/components/api");
  } catch {
    return { ok: false, code: "network", sentence: words.t("problems.network") };
  }
  try {
    return { ok: true, value: await work(client) };
  } catch (error) {
    return { ok: false, code: client.codeOf(error), sentence: client.sentence(words, error) };
  }
}
