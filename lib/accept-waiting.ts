import type { Server } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";

/** A turn of the event loop below this, in milliseconds, leaves hardly any time to connect. */
const SHORT_MS = 0.2;
/** In milliseconds; a process that stays busy has to stop, too. */
const LONGEST_MS = 2_000;

/**
 * Resolves when a listening server has accepted the connections that wait, as far as can be known: those that are not
 * accepted when it stops listening are reset by the system, and no proxy repeats a POST on them. Node accepts one in each
 * turn of its loop, so a turn without one, if it is short, leaves none. Call `close` at once afterwards.
 */
export async function acceptWaiting(server: Server): Promise<void> {
  let accepted = true;
  const note = () => {
    accepted = true;
  };
  server.on("connection", note);
  const until = performance.now() + LONGEST_MS;
  for (let begun = Number.NEGATIVE_INFINITY; ; ) {
    const now = performance.now();
    if ((!accepted && now - begun < SHORT_MS) || now > until) break;
    accepted = false;
    begun = now;
    await nextTurn();
  }
  server.off("connection", note);
}
