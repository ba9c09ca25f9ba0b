/** How long a rejected or removed user waits before asking again (design/api.md, Topics). */
export const askAgainAfterMs = 24 * 60 * 60 * 1000;

/**
 * Seconds until a user who was rejected or removed at `refusedAt` may ask again; 0 when they may now.
 * @param refusedAt the latest rejection or removal, or null
 */
export function secondsUntilAskAgain(refusedAt: Date | null, now: Date): number {
  if (!refusedAt) return 0;
  const left = refusedAt.getTime() + askAgainAfterMs - now.getTime();
  return Math.max(0, Math.ceil(left / 1000));
}
