import { after } from "next/server";
import { processState } from "./process";

/**
 * Has the platform wait for work that goes on after a response. Where our own server runs the app the process lives on
 * anyway, and requests of the API have no scope of Next's.
 */
export function holdOpen(work: Promise<void>): void {
  if (processState().entry) return;
  try {
    after(work);
  } catch {
    // Outside of a request, for example while the process starts: nothing would end.
  }
}
