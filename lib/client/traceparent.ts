/**
 * Returns the `traceparent` header (W3C Trace Context) of a new trace, whose first span is a click. It is random and for one
 * action or one run of a proof: an id that several actions share would link a person's acts.
 */
export function newTraceparent(): string {
  return `00-${randomHex(16)}-${randomHex(8)}-01`;
}

function randomHex(bytes: number): string {
  return [...crypto.getRandomValues(new Uint8Array(bytes))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}
