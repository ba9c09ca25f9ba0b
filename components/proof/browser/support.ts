import type { BrowserProving, ProvingSheet } from "@/lib/proofs/artifact";
import type { CircuitId } from "@/lib/proofs/deployment";
import type { BrowserProvingCode } from "./errors";

/** Gigabytes a device should have for a circuit. Browsers round what they say, down and to 8 at most. */
function memoryNeeded({ points }: Pick<ProvingSheet, "points">): number {
  return points > 2 ** 18 ? 4 : 2;
}

/** What of a browser matters here; `globalThis` has it. */
export interface BrowserTraits {
  readonly isSecureContext?: boolean;
  readonly WebAssembly?: unknown;
  readonly Worker?: unknown;
  readonly DecompressionStream?: unknown;
  readonly navigator?: object;
}

/** Why this browser cannot make this circuit's proof; null when nothing speaks against it. */
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

/** Gigabytes, where the browser says. */
function deviceMemory({ navigator = {} }: BrowserTraits): number | null {
  return "deviceMemory" in navigator && typeof navigator.deviceMemory === "number"
    ? navigator.deviceMemory
    : null;
}
