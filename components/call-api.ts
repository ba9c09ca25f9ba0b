import type { ErrorBody } from "@/lib/contract/errors";
import type { Words } from "@/lib/i18n/words";

/** The caller of this site's API; it is fetched when something is done with it for the first time. */
export type Client = typeof import("@/components/api");

export type ApiResult<T> = { readonly ok: true; readonly value: T } | Failure;

export interface Failure {
  readonly ok: false;
  /** Stable word of the refusal, or "network"; null for what nobody foresaw. */
  readonly code: string | null;
  /** For people. */
  readonly sentence: string;
  /** What the server answered; null where it did not, or not in its own words. */
  readonly body: ErrorBody | null;
  /** What was thrown. */
  readonly cause: unknown;
}

/** What is said where nobody answers. */
export function silence(): "problems.network" | "offline.nothingChanged" {
  return navigator.onLine ? "problems.network" : "offline.nothingChanged";
}

/** Does something by the API and turns every way it can fail into a value, a network without answer among them. */
export async function callApi<T>(words: Words, work: (client: Client) => Promise<T>): Promise<ApiResult<T>> {
  let client: Client;
  try {
    client = await import("@/components/api");
  } catch (cause) {
    return { ok: false, code: "network", sentence: words.t(silence()), body: null, cause };
  }
  try {
    return { ok: true, value: await work(client) };
  } catch (cause) {
    const body = cause instanceof client.ApiError ? cause.body : null;
    return { ok: false, code: client.codeOf(cause), sentence: client.sentence(words, cause), body, cause };
  }
}
