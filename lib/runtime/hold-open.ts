import { after } from "next/server";

/** Has the platform wait for work that goes on after a response. */
export function holdOpen(work: Promise<void>): void {
  try {
    after(work);
  } catch {
    // Outside of a request, for example while the process starts: nothing would end.
  }
}
