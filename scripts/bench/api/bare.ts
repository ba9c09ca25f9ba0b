import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { z } from "zod";
import type { BareSetup } from "./bare-main";

/** A server that ours is compared with. */
export interface Compared {
  readonly port: number;
  close(): Promise<void>;
}

/** Starts the bare server with `pg` in a process of its own. */
export async function startBare(setup: BareSetup): Promise<Compared> {
  const child = fork(path.join(import.meta.dirname, "bare-main.ts"), {
    execArgv: ["--import", "tsx"],
    env: { ...process.env, NODE_ENV: "production" },
  });
  child.send(setup);
  const [message] = await once(child, "message");
  return { port: z.object({ port: z.int() }).parse(message).port, close: () => end(child) };
}

/** Kills a process and waits for its end. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}
