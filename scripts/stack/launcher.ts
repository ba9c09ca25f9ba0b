import { readFileSync } from "node:fs";

const POLL_MS = 1_000;

/**
 * Calls `onGone` when `npm start` was ended but its signal did not reach us: npm hands SIGTERM to the shell
 * it started us with, and Debian's shell dies of it without passing it on. Linux only; other shells replace
 * themselves by the program, so that the signal arrives.
 */
export function watchLauncher(onGone: () => void): void {
  if (process.platform !== "linux" || !process.env.npm_lifecycle_event) return;
  const launchers = ancestorsUpToNpm();
  if (launchers.length === 0) return;
  const timer = setInterval(() => {
    if (launchers.every(({ pid, parent }) => parentOf(pid) === parent)) return;
    clearInterval(timer);
    onGone();
  }, POLL_MS);
  timer.unref();
}

/** Our process and those between it and npm, each with its parent; empty when npm is not among them. */
function ancestorsUpToNpm(): { pid: number; parent: number }[] {
  const chain: { pid: number; parent: number }[] = [];
  for (let pid = process.pid; pid > 1 && chain.length < 6; ) {
    const parent = parentOf(pid);
    if (parent === null) return [];
    chain.push({ pid, parent });
    if (/^npm\b/.test(commandOf(parent))) return chain;
    pid = parent;
  }
  return [];
}

function parentOf(pid: number): number | null {
  try {
    // pid (name) state ppid ...; the name may hold spaces and brackets (proc(5)).
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return null;
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
}
