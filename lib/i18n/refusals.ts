import type { ErrorCode } from "@/lib/contract/errors";
import type { Locale } from "./words";

/**
 * Codes whose sentence is the server's in every language: it names the field and its rule, or only a program that calls
 * the API by hand can cause it.
 */
type ServersOwn =
  | "invalid_request"
  | "invalid_json"
  | "proof_malformed"
  | "proof_not_canonical"
  | "unknown_circuit"
  | "nothing_to_change"
  | "not_your_upload"
  | "address_not_allowed"
  | "poll_option_unknown"
  | "idempotency_mismatch"
  | "method_not_allowed"
  | "unsupported_media_type"
  | "not_an_image"
  | "too_many_streams"
  | "upstream_failed"
  | "not_ready";

/** What a person reads for a refusal of the API, by its stable code; `unknown` is for an answer that has none. */
export type RefusalSentences = Readonly<Record<Exclude<ErrorCode, ServersOwn> | "unknown", string>>;

/**
 * Sentences of the API's refusals by language. English has none: the server speaks it, with its details. They are no group of
 * a catalogue, since no page should carry seventy sentences of which a reader meets none on most days.
 */
export const refusals: Readonly<Partial<Record<Locale, () => Promise<RefusalSentences>>>> = {
  ko: async () => (await import("./ko/refusals")).refusals,
};
