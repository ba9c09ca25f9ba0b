import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { dumpProblems } from "./dumps";

const limits = (core: string) =>
  `Limit                     Soft Limit           Hard Limit           Units\nMax stack size            8388608              unlimited            bytes\nMax core file size        ${core.padEnd(20)} unlimited            bytes\n`;
const safe = { options: ["--import", "tsx"], inspector: undefined, limits: limits("0") };

describe("production refuses to start where memory could be dumped", () => {
  it("and has nothing against an ordinary start, nor against a system that has no such limits", () => {
    expect(dumpProblems(safe)).toEqual([]);
    expect(dumpProblems({ ...safe, limits: undefined })).toEqual([]);
  });

  it("when core dumps are on", () => {
    for (const core of ["unlimited", "4096"]) {
      expect(dumpProblems({ ...safe, limits: limits(core) })).toEqual([
        expect.stringContaining("ulimit -c 0"),
      ]);
    }
  });

  it("when Node was told to write reports or snapshots, or to open an inspector, however that is spelled", () => {
    for (const option of [
      "--report-on-fatalerror",
      "--report_uncaught_exception",
      "--heapsnapshot-signal=SIGUSR2",
      "--heapsnapshot-near-heap-limit=1",
      "--inspect=0.0.0.0:9229",
    ]) {
      expect(dumpProblems({ ...safe, options: [option] })).toHaveLength(1);
    }
    expect(dumpProblems({ ...safe, inspector: "ws://127.0.0.1:9229/x" })).toEqual(["an inspector is open"]);
  });

  it.runIf(process.platform === "linux")("by looking at the very process, on Linux", async () => {
    const file = JSON.stringify(path.join(import.meta.dirname, "dumps.ts"));
    const script = `import(${file}).then((m) => m.refuseDumps()).then(() => console.log("starts"), (e) => console.log(e.message))`;
    const run = async (before: string, ...options: string[]) => {
      const node = [process.execPath, "--import", "tsx", ...options, "-e", script];
      const { stdout } = await promisify(execFile)("sh", ["-c", `${before}; exec "$@"`, "sh", ...node]);
      return stdout;
    };
    expect(await run("ulimit -c 0")).toBe("starts\n");
    expect(await run("ulimit -c 0", "--report-on-fatalerror")).toContain("--report-on-fatalerror");
    expect(await run("ulimit -c 0; export NODE_OPTIONS=--heapsnapshot-signal=SIGUSR2")).toContain(
      "--heapsnapshot",
    );
  });
});
