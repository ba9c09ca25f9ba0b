/**
 * Caches an answer for some milliseconds, and shares one that is pending. A failure is not cached.
 * @param now milliseconds
 */
export function remembered<T>(
  ms: number,
  ask: () => Promise<T>,
  now: () => number = Date.now,
): () => Promise<T> {
  let answer: Promise<T> | undefined;
  let askedAt = 0;
  return async () => {
    if (answer && now() - askedAt < ms) return await answer;
    askedAt = now();
    const asking = ask();
    answer = asking;
    asking.catch(() => {
      if (answer === asking) answer = undefined;
    });
    return await asking;
  };
}
