/** Longest that one request may keep the event loop from all others, in milliseconds. */
export const loopBudgetMs = 100;

/** What `knownWork` takes on the cores that the budget is meant for, in milliseconds. */
const usualMs = 15;
const knownText = JSON.stringify(
  Array.from({ length: 50_000 }, (_, id) => ({ id, name: `n${id}`, at: [id, id + 1] })),
);

/** Fresh memory is what long inputs take most of, and a virtual machine may pay several times the usual for a page of it. */
const knownWork = (): unknown => JSON.parse(knownText);

/** The factor of `onUsualCores`, and when it was measured. */
let slowness = { factor: 1, at: Number.NEGATIVE_INFINITY };
const measuredAgainMs = 10_000;

/**
 * What a measured time would be on the cores that the budget is meant for: from half the budget on, it is divided by how
 * much longer than there this machine needs now for known work of the same kind.
 */
export function onUsualCores(ms: number): number {
  if (ms < loopBudgetMs / 2) return ms;
  if (performance.now() - slowness.at > measuredAgainMs) {
    const least = Math.min(...[1, 2, 3].map(() => cpuOf(knownWork)));
    slowness = { factor: Math.max(1, least / usualMs), at: performance.now() };
  }
  return ms / slowness.factor;
}

function cpuOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  return cpuSince(before);
}

/** @returns milliseconds */
function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

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
    least = Math.min(least, onUsualCores(cpuSince(before)));
  }
  return least;
}
