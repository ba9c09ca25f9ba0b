import { beforeAll, describe, expect, it } from "vitest";
import type { TestFunction } from "@/scripts/circuits/compile";
import { compileTests, problemOf, testsOf } from "@/scripts/circuits/crate-tests";
import { crateNames } from "@/scripts/circuits/paths";

/** The Noir tests of the gadget crates, in one process: its first crate costs most, for which the compiler is compiled. */
describe.each(crateNames())("%s", (crate) => {
  let compiled: ReadonlyMap<string, TestFunction>;
  beforeAll(async () => {
    compiled = await compileTests(crate);
  });

  it.each(testsOf(crate).map((test) => [test.name, test] as const))("%s", async (name, test) => {
    const one = compiled.get(name) ?? expect.fail("was not compiled");
    expect(await problemOf(test, one)).toBeUndefined();
  });
});
