/** Longest that one request may keep the event loop from all others, in milliseconds. */
export const loopBudgetMs = 100;

/**
 * CPU time that some work takes, in milliseconds: unlike the clock it does not grow when the machine is busy with other
 * things. What seems to take too long is measured again, since the first run compiles what it runs and may pay for the
 * garbage of others.
 */
export async function cpuMs(work: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 3 && least > loopBudgetMs / 2; run += 1) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}
