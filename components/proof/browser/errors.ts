/** Why a proof was not made in this browser. Their texts are in `lib/i18n`, group `prover`. */
const browserProvingCodes = [
  /** The installation has a development SRS, which Barretenberg's WASM build refuses. */
  "development_srs",
  /** The operator turned it off, for all circuits or for this one. */
  "not_offered",
  /** The page has no secure context, which the needed APIs require. */
  "insecure",
  "no_wasm",
  "no_worker",
  /** The browser reports too little memory, or an allocation failed. */
  "memory",
  /** No source provides the ceremony's points now. */
  "points_unavailable",
  /** A source sent points that are not the ceremony's. */
  "points_wrong",
  "circuit_unavailable",
  /** The downloaded circuit is not the one of this page's build. */
  "circuit_changed",
  /** Circuit and points give a different key from the verifier contract's. */
  "key_mismatch",
  /** The inputs do not satisfy the circuit. */
  "unprovable",
  /** The proof has other public inputs than expected. */
  "result_mismatch",
  /** The worker ended for any other reason. */
  "crashed",
] as const;
export type BrowserProvingCode = (typeof browserProvingCodes)[number];

/** No proof was made in this browser. The message contains no inputs. */
export class BrowserProvingError extends Error {
  override readonly name = "BrowserProvingError";
  constructor(readonly code: BrowserProvingCode) {
    super(`no proof was made in this browser: ${code}`);
  }
}

/** How browsers and Barretenberg report that memory ran out. */
const OUT_OF_MEMORY =
  /bad_alloc|out of memory|could not allocate|cannot allocate|enlarge memory|memory\.grow/i;

/** Returns the code for anything thrown during proving. Texts of foreign errors are dropped: they may quote inputs. */
export function codeOf(error: unknown): BrowserProvingCode {
  if (error instanceof BrowserProvingError) return error.code;
  if (error instanceof RangeError) return "memory";
  return error instanceof Error && OUT_OF_MEMORY.test(error.message) ? "memory" : "crashed";
}
