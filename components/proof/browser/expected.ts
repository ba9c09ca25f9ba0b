/** More help little, and each takes memory. */
const MAX_THREADS = 8;

/** Threads a proof may use on this page: those of the device where the page is isolated, else one. */
export function availableThreads(): number {
  return globalThis.crossOriginIsolated ? Math.min(navigator.hardwareConcurrency || 1, MAX_THREADS) : 1;
}

/** Bytes of Barretenberg and noir_js as they travel, compressed. */
export const PROGRAM_BYTES = 4_600_000;

/**
 * Milliseconds per point of the circuit on one thread, as measured in Chromium on a server's core (2^17 to 2^19 points);
 * phones take two or three times as long.
 */
const PROVING_MS = 0.085;
const KEY_MS = 0.032;

/** What the stages of a proof usually take here, in milliseconds. `total` is a first proof: with the circuit's key. */
export function expectedHere(points: number, threads: number) {
  // Twice the threads are not twice as fast.
  const speed = threads ** 0.7;
  const key = (points * KEY_MS) / speed;
  const proving = (points * PROVING_MS) / speed;
  const prepare = 1500;
  const witness = 1000;
  return { prepare, witness, key, proving, total: prepare + witness + key + proving };
}
