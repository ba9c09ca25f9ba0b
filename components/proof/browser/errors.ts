/** Why a proof was not made in this browser. What a person is told about each: `lib/i18n`, group `browserProver`. */
const browserProvingCodes = [
  /** The installation's setup data is for development, which Barretenberg's WASM build refuses. */
  "development_srs",
  /** The operator switched it off, or this circuit is not offered here. */
  "not_offered",
  /** Not https: the browser keeps what is needed to itself. */
  "insecure",
  "no_wasm",
  "no_worker",
  /** Too little memory, by the browser's own word or by its refusal to give more. */
  "memory",
  /** No source has the ceremony's points now. */
  "points_unavailable",
  /** What a source sent is not the ceremony's. */
  "points_wrong",
  "circuit_unavailable",
  /** The circuit that came is not the one this page was made for. */
  "circuit_changed",
  /** Circuit and points give another key than the verifier contract has. */
  "key_mismatch",
  /** The inputs do not satisfy the circuit. */
  "unprovable",
  /** The proof says something else than what was asked. */
  "result_mismatch",
  /** Anything else that ended the worker. */
  "crashed",
] as const;
export type BrowserProvingCode = (typeof browserProvingCodes)[number];

/** No proof was made in this browser. The message holds no input. */
export class BrowserProvingError extends Error {
  override readonly name = "BrowserProvingError";
  constructor(readonly code: BrowserProvingCode) {
    super(`no proof was made here: ${code}`);
  }
}

/** What browsers and Barretenberg say when memory has run out. */
const outOfMemory = /bad_alloc|out of memory|could not allocate|cannot allocate|enlarge memory|memory\.grow/i;

/** The code of anything thrown while a proof was made; the text of foreign errors goes no further, it may quote inputs. */
export function codeOf(error: unknown): BrowserProvingCode {
  if (error instanceof BrowserProvingError) return error.code;
  if (error instanceof RangeError) return "memory";
  return error instanceof Error && outOfMemory.test(error.message) ? "memory" : "crashed";
}
