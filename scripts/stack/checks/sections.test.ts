import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { output } from "./run";
import { lanesFor, runSections, type Section } from "./sections";

let printed = "";
beforeEach(() => {
  printed = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    printed += String(text);
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** A section that ends when it is told to. */
function held(name: string, more: Partial<Section> = {}) {
  let begin = () => {};
  let finish = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const may = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const section: Section = {
    name,
    title: name,
    run: async () => {
      begin();
      await may;
      return { passed: 1, failed: 0 };
    },
    ...more,
  };
  return { section, begun, finish };
}

describe("sections of npm test", () => {
  it("run side by side, and one that measures time runs after all others", async () => {
    const [a, b, c] = [held("a"), held("b"), held("c")];
    const order: string[] = [];
    const alone: Section = {
      name: "alone",
      title: "alone",
      alone: true,
      run: async () => {
        order.push("alone");
        return { passed: 1, failed: 0 };
      },
    };
    const done = runSections([alone, a.section, b.section, c.section], [], { lanes: 2 });
    await Promise.all([a.begun, b.begun]);
    c.begun.then(() => order.push("c"));
    b.finish();
    await c.begun;
    c.finish();
    a.finish();
    expect(await done).toBe(false);
    expect(order).toEqual(["c", "alone"]);
    expect(printed.trimEnd().split("\n").at(-1)).toBe("4 passed, 0 failed");
  });

  it("keep their lines apart, and count a crash as a failure", async () => {
    const first: Section = {
      name: "first",
      title: "first",
      run: async () => {
        output().write("half ");
        await Promise.resolve();
        output().write("a line\nand no end");
        return { passed: 2, failed: 0 };
      },
    };
    const broken: Section = { name: "broken", title: "broken", run: () => Promise.reject(new Error("oh")) };
    expect(await runSections([first, broken], [], { lanes: 2 })).toBe(true);
    expect(printed).toContain("first     | half a line\n");
    expect(printed).toContain("first     | and no end\n");
    expect(printed).toContain("broken    | oh\n");
    expect(printed.trimEnd().split("\n").at(-1)).toBe("2 passed, 1 failed");
  });

  it("name what failed below everything else that was printed", async () => {
    const first: Section = {
      ...held("first").section,
      run: async () => ({ passed: 0, failed: 1, failures: [{ name: "a › b", message: "one\ntwo" }] }),
    };
    expect(await runSections([first], [])).toBe(true);
    expect(printed).toMatch(
      /\nFAIL {2}a › b\n {6}one\n {6}two\n\nFAIL {2}first .*\n\nin .*\n0 passed, 1 failed\n$/,
    );
  });

  it("are listed with their titles for --help, and none of them runs", async () => {
    const run = vi.fn(async () => ({ passed: 1, failed: 0 }));
    const sections: Section[] = [
      { name: "a", title: "First things", run },
      { name: "long", title: "Second things", alone: true, run },
    ];
    for (const flag of ["--help", "-h"]) {
      printed = "";
      expect(await runSections(sections, [flag], { usage: "npm test" })).toBe(false);
      expect(printed).toBe("npm test\n\nSections:\n  a     First things\n  long  Second things\n");
    }
    expect(run).not.toHaveBeenCalled();
  });

  it("refuse names and numbers they do not know", async () => {
    await expect(runSections([held("a").section], ["--only", "b"])).rejects.toThrow("list of: a");
    expect(() => lanesFor(["--lanes", "none"], 2)).toThrow("--lanes");
  });

  it("run side by side where there is a core for each, or as one says", () => {
    expect([1, 2, 4, 16].map((cores) => lanesFor([], 2, cores))).toEqual([1, 2, 2, 2]);
    expect(lanesFor(["--only", "unit", "--lanes", "3"], 2, 2)).toBe(3);
  });
});
