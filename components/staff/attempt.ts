import type { Words } from "@/lib/i18n/words";

/** The caller of this site's API; it is fetched when something is done with it for the first time. */
export type Client = typeof import("@/components/api");

export type Attempt<T> = { readonly ok: true; readonly value: T } | Failure;

export interface Failure {
  readonly ok: false;
  /** Stable word of the refusal, or "network"; null for what nobody foresaw. */
  readonly code: string | null;
  /** For people. */
  readonly sentence: string;
  /** With a mute or a ban: when it ends (ISO 8601), or null when it does not by itself. */
  readonly until?: string | null;
}

/** Does something by the API and turns every way it can fail into a value, a network without answer among them. */
export async function attempt<T>(words: Words, work: (client: Client) => Promise<T>): Promise<Attempt<T>> {
  let client: Client;
  try {
    client = await import("@/components/api");
  } catch {
    const sentence = words.t(navigator.onLine ? "problems.network" : "offline.nothingChanged");
    return { ok: false, code: "network", sentence };
  }
  try {
    return { ok: true, value: await work(client) };
  } catch (error) {
    const until = error instanceof client.ApiError ? error.body?.until : undefined;
    return { ok: false, code: client.codeOf(error), sentence: client.sentence(words, error), until };
  }
}
