import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const program = fileURLToPath(new URL("../parley.mjs", import.meta.url));
const parley = (...args: string[]) =>
  spawnSync(process.execPath, [program, ...args], { cwd: tmpdir(), encoding: "utf8" });

describe("the parley command", () => {
  it("proves from any folder, without a build", () => {
    const { status, stderr } = parley("prove", "--help");
    expect([status, stderr.includes("parley prove <circuit>")]).toEqual([0, true]);
    // Its arguments reach the program unchanged.
    expect(parley("prove", "no_such_circuit")).toMatchObject({ status: 2 });
  });

  it("prints its usage for other commands", () => {
    expect(parley("mint")).toMatchObject({ status: 2, stdout: "" });
  });
});
