import type { ErrorBody } from "@/lib/contract/error-body";
import type { Words } from "@/lib/i18n/words";

/** This site's API client, which loads on first use. */
export type Client = typeof import("@/components/api");

export type ApiResult<T> = { readonly ok: true; readonly value: T } | Failure;

export interface Failure {
  readonly ok: false;
  /** Code of the API error, or "network"; null for an unexpected error. */
  readonly code: string | null;
  /** For the reader. */
  readonly sentence: string;
  /** Body of the error response; null without one. */
  readonly body: ErrorBody | null;
  readonly cause: unknown;
}

/** Returns the message for a request without a response. */
export function networkProblem(): "problems.network" | "offline.nothingChanged" {
  return navigator.onLine ? "problems.network" : "offline.nothingChanged";
}

/** Calls the API and returns every failure as a value, network errors included. */
export async function callApi<T>(words: Words, work: (client: Client) => Promise<T>): Promise<ApiResult<T>> {
  let client: Client;
  try {
    client = await import("@/components/api");
  } catch (cause) {
    return { ok: false, code: "network", sentence: words.t(networkProblem()), body: null, cause };
  }
  try {
    return { ok: true, value: await work(client) };
  } catch (cause) {
    const body = cause instanceof client.ApiError ? cause.body : null;
    return { ok: false, code: client.codeOf(cause), sentence: client.sentence(words, cause), body, cause };
  }
}
