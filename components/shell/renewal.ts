/** A session older than this is renewed by the browser that uses it. It ends after seven days without being renewed. */
export const RENEW_AFTER_MS = 60 * 60 * 1000;

/**
 * Milliseconds to wait before each try. All lie within the minute in which the server answers a repeated renewal with
 * the same token, so that a lost answer signs nobody out.
 */
const PAUSES_MS: readonly number[] = [0, 3_000, 12_000, 25_000];

export interface RenewalParts {
  /** Asks the server for a new cookie. Rejects when no answer came; a refusal is an answer. */
  readonly renew: () => Promise<unknown>;
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<void>;
}

/**
 * Renews a session when it is due.
 * @param ageMs how long ago its token was issued, by the server's clock
 * @returns what to call whenever the page is used
 */
export function createRenewal({ renew, now, wait }: RenewalParts, ageMs: number): () => Promise<void> {
  let dueAt = now() + RENEW_AFTER_MS - ageMs;
  return async () => {
    if (now() < dueAt) return;
    dueAt = now() + RENEW_AFTER_MS;
    for (const pause of PAUSES_MS) {
      await wait(pause);
      try {
        await renew();
        return;
      } catch {
        // No answer came; the next try, or the next hour's.
      }
    }
  };
}
