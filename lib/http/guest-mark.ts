import type { IncomingMessage } from "node:http";
import { processState } from "@/lib/runtime/process";
import type { HeaderReader } from "./incoming";

/** Marks requests of this process for a page to cache (lib/server/guest-pages.ts). */
const MARK = "x-parley-for-guests";

/** Marks a request. */
export function markForGuests({ headers }: IncomingMessage): void {
  headers[MARK] = "1";
}

/** Deletes a mark that a client wrote. */
export function unmarkForGuests({ headers }: IncomingMessage): void {
  delete headers[MARK];
}

/** Returns whether a page is rendered to be cached. Without an entry server, a client may have written the mark. */
export function isForGuests(headers: HeaderReader): boolean {
  return processState().entry !== undefined && headers.has(MARK);
}
