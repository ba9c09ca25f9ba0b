import { readFile } from "node:fs/promises";
import { url as inspectorUrl } from "node:inspector";
import { StartRefusedError } from "./env";

/** Options of Node that write memory to disk or expose it to a debugger. */
const dumping = [
  "--report-on-fatalerror",
  "--report-on-signal",
  "--report-uncaught-exception",
  "--heapsnapshot-signal",
  "--heapsnapshot-near-heap-limit",
  "--heap-prof",
  "--inspect",
  "--inspect-brk",
  "--inspect-wait",
  "--abort-on-uncaught-exception",
];

interface DumpSettings {
  /** Options of Node: of the command line, and the words of NODE_OPTIONS. */
  options: readonly string[];
  /** Address of an open inspector. */
  inspector: string | undefined;
  /** Contents of /proc/self/limits; undefined where the system has none. */
  limits: string | undefined;
}

/** Returns ways in which tokens and signatures in memory could reach the disk or a debugger. */
export function dumpProblems({ options, inspector, limits }: DumpSettings): string[] {
  const names = options.map(
    (option) => option.split("=")[0]?.replaceAll("_", "-").replace(/^-+/, "--") ?? "",
  );
  const problems = dumping
    .filter((each) => names.includes(each))
    .map((each) => `${each} is set, which gives away what is in memory`);
  if (inspector && problems.length === 0) problems.push("an inspector is open");
  const core = limits && /^Max core file size\s+(\S+)\s+(\S+)/m.exec(limits);
  // The soft limit counts, also for a core pattern that pipes to a program.
  if (core && core[1] !== "0") {
    problems.push(
      "core dumps are on: start with `ulimit -c 0` (systemd: LimitCORE=0, containers: --ulimit core=0)",
    );
  }
  return problems;
}

/**
 * Checks this process.
 * @throws StartRefusedError naming each way in which private inputs could be dumped
 */
export async function refuseDumps(): Promise<void> {
  const problems = dumpProblems({
    options: [...process.execArgv, ...(process.env.NODE_OPTIONS ?? "").split(/\s+/)],
    inspector: inspectorUrl(),
    limits: await readFile("/proc/self/limits", "utf8").catch(() => undefined),
  });
  if (problems.length > 0) throw new StartRefusedError(`cannot start: ${problems.join("; ")}`);
}
