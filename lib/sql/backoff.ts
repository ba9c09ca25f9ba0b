/** How long to wait before the next attempt in milliseconds: sooner at first, each process at another moment. */
export function backoffMs(attempts: number, longestMs = 10_000): number {
  return Math.min(100 * 2 ** attempts, longestMs) * (0.5 + Math.random() / 2);
}
