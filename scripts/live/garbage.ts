import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import WebSocket from "ws";
import { z } from "zod";

const targets = z.array(z.object({ webSocketDebuggerUrl: z.url() })).min(1);
/** One collection leaves what finalizers of the one before it let go of. */
const rounds = 3;

/**
 * Makes a Node process collect its garbage, so that its memory is what it holds and not what it has not got round to
 * freeing. The process must have been started with `--inspect-port=<port>`; the inspector is opened by SIGUSR1.
 * @throws Error when the inspector does not answer
 */
export async function collectGarbage(pid: number, port: number): Promise<void> {
  process.kill(pid, "SIGUSR1");
  const socket = new WebSocket(await inspectorUrl(port));
  await once(socket, "open");
  for (let id = 1; id <= rounds; id += 1) {
    const answered = once(socket, "message");
    socket.send(JSON.stringify({ id, method: "HeapProfiler.collectGarbage" }));
    await answered;
    // Pages go back to the system in the background.
    await sleep(500);
  }
  socket.close();
  await once(socket, "close");
}

async function inspectorUrl(port: number): Promise<string> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const response = await fetch(`http://127.0.0.1:${port}/json/list`).catch(() => null);
    if (response) return targets.parse(await response.json())[0]?.webSocketDebuggerUrl ?? "";
    await sleep(100);
  }
  throw new Error(`no inspector answers on port ${port}`);
}
