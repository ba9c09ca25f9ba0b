import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { log } from "@/lib/log";
import { logConsole } from "./console";

const own = { ...console };
beforeEach(() => {
  for (const level of ["info", "warn", "error"] as const) vi.spyOn(log, level).mockReturnValue(undefined);
  logConsole();
});
afterEach(() => {
  Object.assign(console, own);
  vi.restoreAllMocks();
});

it("what is written to the console becomes lines of the log, without colors", () => {
  console.log("\u001b[32m✓\u001b[39m Ready in", 17, "ms");
  expect(log.info).toHaveBeenCalledExactlyOnceWith({}, "✓ Ready in 17 ms");
  console.log("\n");
  expect(log.info).toHaveBeenCalledTimes(1);
  console.warn({ a: [1] });
  expect(log.warn).toHaveBeenCalledExactlyOnceWith({}, "{ a: [ 1 ] }");
});

it("an error goes to the log's own description of errors, which leaves out what may be secret", () => {
  const err = new Error("failed");
  console.error("⨯", err);
  expect(log.error).toHaveBeenCalledExactlyOnceWith({ err }, "⨯");
});
