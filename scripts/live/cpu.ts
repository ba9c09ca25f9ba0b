import { readdirSync, readFileSync } from "node:fs";

interface Stat {
  readonly parent: number;
  /** CPU time of the process, in milliseconds. */
  readonly ownMs: number;
  /** CPU time of its children that have ended, in milliseconds. */
  readonly endedMs: number;
}

/** Reads proc(5) stat of a process; undefined when it has ended. */
function statOf(pid: number): Stat | undefined {
  try {
    // The name in parentheses may contain spaces. Times are in hundredths of a second.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").pop()?.split(" ").map(Number) ?? [];
    const [, parent = 0] = fields;
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15);
    return { parent, ownMs: (user + system) * 10, endedMs: (endedUser + endedSystem) * 10 };
  } catch {
    return undefined;
  }
}

/** Returns the CPU time that a process has used, in milliseconds; 0 when it has ended. */
export function cpuMs(pid: number): number {
  return statOf(pid)?.ownMs ?? 0;
}

/** Returns the CPU time that a process and its children have used, those that ended included, in milliseconds. */
export function familyCpuMs(pid: number): number {
  const own = statOf(pid);
  if (!own) return 0;
  const children = readdirSync("/proc")
    .map(Number)
    .filter((other) => Number.isInteger(other) && statOf(other)?.parent === pid)
    .reduce((sum, child) => sum + cpuMs(child), 0);
  return own.ownMs + own.endedMs + children;
}

/** Returns the process that started another one. @throws Error when there is no such process */
export function parentOf(pid: number): number {
  const stat = statOf(pid);
  if (!stat) throw new Error(`there is no process ${pid}`);
  return stat.parent;
}
