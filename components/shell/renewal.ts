/** Age at which a browser renews its session. A session ends seven days after its last renewal. */
export const RENEW_AFTER_MS = 60 * 60 * 1000;

/**
 * Milliseconds to wait before each try. All tries fall within the minute in which the server answers a repeated renewal
 * with the same token, so that a lost response does not sign the member out.
 */
const PAUSES_MS: readonly number[] = [0, 3_000, 12_000, 25_000];

interface RenewalParts {
  /** Requests a new cookie. Rejects without a response; a refusal is a response. */
  readonly renew: () => Promise<unknown>;
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<void>;
}

/** Makes a function that renews the session when due. @param ageMs age of its token by the server's clock */
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
        // Without a response, the next try or the next hour renews it.
      }
    }
  };
}
