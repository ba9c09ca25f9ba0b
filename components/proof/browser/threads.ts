/** More help little, and each takes memory. */
const MAX_THREADS = 8;

/** Threads a proof may use on this page: those of the device where the page is isolated, else one. */
export function availableThreads(): number {
  return globalThis.crossOriginIsolated ? Math.min(navigator.hardwareConcurrency || 1, MAX_THREADS) : 1;
}
