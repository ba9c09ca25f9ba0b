import { createInterface } from "node:readline";
import { z } from "zod";

/**
 * A small process that briefly outlives the stack: when the stack's process is gone, for whatever reason, it ends the
 * programs that the stack had started. Without it, `kill -9` would leave chains and databases running, and the next start
 * would find its ports taken.
 *
 * Each line on its standard input is the current list of process IDs to end, as JSON. A negative ID means the whole
 * process group. It reads a pipe rather than Node's IPC, because a pipe keeps what the stack wrote even if the stack died
 * before this process had loaded.
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
// Ctrl-C in a terminal reaches every process of the group, but the stack decides when to stop.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => {});

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Already gone.
  }
}
