import { once } from "node:events";
import { rm } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { SettingsError } from "@/lib/settings/read";
import { answersOk, ChildError, Children, type ChildSpec } from "./children";
import { bundleEntry, entryFiles } from "./next-build";
import type { Reporter } from "./progress";
import { homePaths, type StackSettings } from "./settings";

/** An app that died with its borrower may hold its port and database for the watchdog's grace period. */
const RETURN_TRIES = 6;
const RETURN_PAUSE_MS = 2_000;

const programSchema = z.object({
  command: z.string(),
  args: z.array(z.string()),
  env: z.record(z.string(), z.string()),
});
/** The stack's response to a borrower, as one line of JSON: how to run the app, or why it may not. */
const answerSchema = z.union([z.object({ program: programSchema }), z.object({ refusal: z.string() })]);
type Answer = z.infer<typeof answerSchema>;

/** Returns the shorter form of the path: a socket address holds about 100 bytes. */
function socketPath(home: string): string {
  const file = path.resolve(home, "app.sock");
  const relative = path.relative(process.cwd(), file);
  return relative.length < file.length ? relative : file;
}

export interface Loan {
  readonly home: string;
  readonly children: Children;
  /** The app as the stack runs it. */
  readonly own: ChildSpec;
  /** The app as a borrower runs it: same port, same database. */
  readonly lent: ChildSpec;
  readonly note: (text: string) => void;
  /** The app did not start again after a loan. */
  readonly onDeath: (error: ChildError) => void;
}

/**
 * Lets one other process at a time run the app in place of the stack (`npm run dev -- --app`). Two apps cannot share the
 * embedded database, and sign-in works at one address only. The stack's own app is stopped while a borrower is connected
 * and restarted when the connection ends, for whatever reason. The home must be locked.
 * @returns a function that ends the loan and the offer
 */
export async function lendApp({ home, children, own, lent, note, onDeath }: Loan): Promise<() => void> {
  let borrower: Socket | undefined;
  let closing = false;

  const takeBack = async () => {
    for (let left = RETURN_TRIES; ; left--) {
      // Another borrower may have connected meanwhile.
      if (closing || borrower) return;
      try {
        await children.start(own);
        return note("The app runs in this stack again.");
      } catch (error) {
        await children.end(own.name);
        if (closing || borrower) return;
        if (left === 0) return onDeath(error instanceof ChildError ? error : new ChildError(String(error)));
        await sleep(RETURN_PAUSE_MS);
      }
    }
  };
  const lend = async (socket: Socket) => {
    // A borrower that is killed resets the connection; "close" follows.
    socket.on("error", () => undefined);
    const answer = (text: Answer) => socket.write(`${JSON.stringify(text)}\n`);
    if (borrower) {
      answer({ refusal: "Another npm run dev -- --app already runs the app of this stack. Stop it first." });
      return socket.end();
    }
    borrower = socket;
    const closed = once(socket, "close");
    note("npm run dev -- --app takes over the app.");
    await children.end(own.name);
    const { command, args, env } = lent;
    answer({ program: programSchema.parse({ command, args, env: JSON.parse(JSON.stringify(env)) }) });
    await closed;
    borrower = undefined;
    await takeBack();
  };

  const file = socketPath(home);
  await rm(file, { force: true });
  const server = createServer((socket) => void lend(socket));
  server.listen(file);
  await once(server, "listening");
  return () => {
    closing = true;
    borrower?.destroy();
    server.close();
  };
}

/**
 * Takes over the app from the stack that runs on `home`.
 * @returns how to run it; `ended`, which resolves when the stack has stopped or ended the loan; and `giveBack`, to call
 * after the borrowed app has stopped
 * @throws SettingsError when no stack runs there, or another process has taken over its app
 */
export async function borrowApp(home: string) {
  const socket = connect(socketPath(home));
  try {
    await once(socket, "connect");
  } catch {
    const where = path.relative(process.cwd(), home) || ".";
    throw new SettingsError([
      `No development stack is running on ${where}. Start one in another terminal with npm start (or set PARLEY_HOME to the folder of a running one), then try again.`,
    ]);
  }
  socket.on("error", () => undefined);
  const ended = once(socket, "close").then(() => undefined);
  const lines = createInterface({ input: socket });
  const line = await Promise.race([once(lines, "line").then(([text]) => String(text)), ended]);
  if (line === undefined) throw new SettingsError(["The stack stopped before it handed over its app."]);
  const answer = answerSchema.parse(JSON.parse(line));
  if ("refusal" in answer) throw new SettingsError([answer.refusal]);
  return { program: answer.program, ended, giveBack: () => void socket.end() };
}

export interface BorrowedAppOptions {
  readonly settings: StackSettings;
  readonly reporter: Reporter;
  readonly signal: AbortSignal;
  /** Called when the app or its stack exited by itself. The caller must stop the app. */
  readonly onDeath: (error: ChildError) => void;
}

/**
 * Runs the app of a running stack with hot reload and shows its output on this terminal, until it is stopped.
 * @throws SettingsError, ChildError
 */
export async function startBorrowedApp({ settings, reporter, signal, onDeath }: BorrowedAppOptions) {
  const children = new Children(homePaths(settings.home).logs, onDeath, { output: process.stdout });
  signal.addEventListener("abort", () => void children.stop());
  await bundleEntry(entryFiles.dev);
  const borrowed = await reporter.step("Taking over the app", () => borrowApp(settings.home));
  void borrowed.ended.then(() => onDeath(new ChildError("The stack has stopped.")));
  const { PORT, NEXTAUTH_URL } = borrowed.program.env;
  const stop = async () => {
    await children.stop();
    borrowed.giveBack();
  };
  try {
    await children.start({
      name: "app",
      ...borrowed.program,
      ready: () => answersOk(`http://127.0.0.1:${PORT}/api/health/ready`),
      readyTimeoutMs: 300_000,
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: NEXTAUTH_URL, stop, kill: () => children.kill() };
}
