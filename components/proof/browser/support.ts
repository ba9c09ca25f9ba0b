import type { BrowserProving, ProvingSheet } from "@/lib/proofs/artifact";
import type { CircuitId } from "@/lib/proofs/deployment";
import type { BrowserProvingCode } from "./errors";

/** More threads help little, and each needs memory. */
const MAX_THREADS = 8;

/** Compressed download size of Barretenberg and noir_js. */
export const PROGRAM_BYTES = 4_600_000;

/** Milliseconds per point on one thread, measured in Chromium on a server (2^17 to 2^19 points); phones take 2 to 3 times as long. */
const PROVING_MS = 0.085;
const KEY_MS = 0.032;

/** Returns the gigabytes of memory that a circuit needs. Browsers report a rounded-down value of at most 8. */
function memoryNeeded({ points }: Pick<ProvingSheet, "points">): number {
  return points > 2 ** 18 ? 4 : 2;
}

/** The browser features that matter here; `globalThis` has them. */
export interface BrowserTraits {
  readonly isSecureContext?: boolean;
  readonly WebAssembly?: unknown;
  readonly Worker?: unknown;
  readonly DecompressionStream?: unknown;
  readonly navigator?: object;
}

/** Returns why this browser cannot make a circuit's proof; null when it can. */
export function obstacle(
  offer: BrowserProving,
  circuit: CircuitId,
  traits: BrowserTraits = globalThis,
): BrowserProvingCode | null {
  if (!offer.offered) return offer.reason;
  const sheet = offer.circuits[circuit];
  if (!sheet) return "not_offered";
  if (traits.isSecureContext === false) return "insecure";
  if (typeof traits.WebAssembly !== "object") return "no_wasm";
  if (typeof traits.Worker !== "function" || typeof traits.DecompressionStream !== "function")
    return "no_worker";
  const memory = deviceMemory(traits);
  return memory !== null && memory < memoryNeeded(sheet) ? "memory" : null;
}

/** Returns the device's memory in gigabytes; null when the browser does not report it. */
function deviceMemory({ navigator = {} }: BrowserTraits): number | null {
  return "deviceMemory" in navigator && typeof navigator.deviceMemory === "number"
    ? navigator.deviceMemory
    : null;
}

/** Returns the threads that a proof may use: those of the device on an isolated page, else one. */
export function availableThreads(): number {
  return globalThis.crossOriginIsolated ? Math.min(navigator.hardwareConcurrency || 1, MAX_THREADS) : 1;
}

/** Returns the usual durations of a proof's stages here, in milliseconds. `total` includes the circuit's key. */
export function expectedHere(points: number, threads: number) {
  // Twice the threads are less than twice as fast.
  const speed = threads ** 0.7;
  const key = (points * KEY_MS) / speed;
  const proving = (points * PROVING_MS) / speed;
  const prepare = 1500;
  const witness = 1000;
  return { prepare, witness, key, proving, total: prepare + witness + key + proving };
}
