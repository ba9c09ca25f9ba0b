import { createInterface } from "node:readline";
import { z } from "zod";

/**
 * A small process that outlives the stack by a moment: when the stack's process is gone, however it
 * died, it ends the programs the stack had started. Without it, `kill -9` would leave chains and
 * databases running and the next start would find its ports taken.
 *
 * On its standard input, line by line: the list of process ids to end, as JSON. A negative id means the whole process
 * group. A pipe and no messages of Node's: what the stack wrote is still in it when the stack died before this had loaded.
 */
const GRACE_MS = 5_000;
const messageSchema = z.array(z.int());
let pids: number[] = [];

const lines = createInterface({ input: process.stdin });
lines.on("line", (line) => {
  pids = messageSchema.parse(JSON.parse(line));
});
lines.on("close", () => {
  if (pids.length === 0) process.exit(0);
  for (const pid of pids) signal(pid, "SIGTERM");
  setTimeout(() => {
    for (const pid of pids) signal(pid, "SIGKILL");
    process.exit(0);
  }, GRACE_MS);
});
// Ctrl-C in a terminal reaches every process in the group; the stack itself decides when to stop.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => {});

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Already gone.
  }
}
