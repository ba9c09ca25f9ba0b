import { describe, expect, it } from "vitest";
import { check, countedByLastLine, lastLineCounts } from "./run";

describe("counts of a section", () => {
  it("come from the last line that has them", () => {
    expect(lastLineCounts("1 passed, 2 failed\nmore\n30 passed, 0 failed\n")).toEqual({
      passed: 30,
      failed: 0,
    });
  });
  it("are zero without such a line", () => {
    expect(lastLineCounts("done")).toEqual({ passed: 0, failed: 0 });
  });
  it("gain a failure when the program crashes without counting one", async () => {
    const crash = ["-e", "console.log('4 passed, 0 failed'); process.exit(2)"];
    expect(await countedByLastLine(process.execPath, crash)).toEqual({ passed: 4, failed: 1 });
  });
  it("are one for a plain check", async () => {
    expect(await check(process.execPath, ["-e", ""])).toEqual({ passed: 1, failed: 0 });
    expect(await check(process.execPath, ["-e", "process.exit(1)"])).toEqual({ passed: 0, failed: 1 });
  });
});
