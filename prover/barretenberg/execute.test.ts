import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WitnessError } from "./errors";
import { closeExecutor, executeCircuit, maxUnpaidWaiting } from "./execute";
import { compileCircuit } from "./test/circuits";
import type { CircuitArtifact } from "./types";

let square: CircuitArtifact;
let cube: CircuitArtifact;
let slow: CircuitArtifact;
beforeAll(async () => {
  square = await compileCircuit("square");
  cube = await compileCircuit("cube");
  slow = await compileCircuit("slow");
});
afterAll(closeExecutor);

const good = { x: 12, y: 144, data: [1, 4, 2, 3] };

test("solves witnesses, also of several circuits at once", async () => {
  const [a, b, c] = await Promise.all([
    executeCircuit(square, good),
    executeCircuit(cube, { x: "3", y: "0x1b", data: [7, 7, 8, 9] }),
    executeCircuit(square, { ...good, x: -1 + 3, y: 4 }),
  ]);
  for (const { witness, durationMs } of [a, b, c]) {
    expect(gunzipSync(witness).length).toBeGreaterThan(100);
    expect(durationMs).toBeGreaterThan(0);
  }
  expect(Buffer.from(a.witness).equals(Buffer.from(c.witness))).toBe(false);
});

// 31337 is the value that must not come back in any field.
test.each([
  ["a failed assertion with a constant text", { x: 5, y: 31337 }, "constraint", undefined, "x is five"],
  ["a failed assertion with values in its text", { x: 6, y: 31337 }, "constraint", undefined, undefined],
  ["an assertion without text", { x: 31337 }, "constraint", undefined, undefined],
  ["bytes that break a rule", { data: [9, 4, 2, 3] }, "constraint", undefined, "unbalanced"],
  ["a number that is too large", { data: [31337, 4, 2, 3] }, "inputs", "data[0]", undefined],
  ["a value that is no number", { x: "secret 31337" }, "inputs", "x", undefined],
  ["an array that is too short", { data: [1, 2] }, "inputs", "data", undefined],
  ["a missing parameter", { y: undefined, x: 31337 }, "inputs", "y", undefined],
])("says what is wrong without saying the value: %s", async (_, change, reason, parameter, assertion) => {
  const error = await executeCircuit(square, { ...good, ...change }).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(WitnessError);
  expect(error).toMatchObject({ reason, parameter, assertion });
  expect(JSON.stringify([error, String(error), error instanceof Error && error.stack])).not.toMatch(
    /31337|secret/,
  );
});

test("leaves the event loop free", async () => {
  await executeCircuit(square, good); // the thread runs
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 5);
  const { durationMs } = await executeCircuit(slow, { x: 1 });
  clearInterval(timer);
  expect(durationMs).toBeGreaterThan(200);
  expect(longest).toBeLessThan(durationMs / 2);
});

test("a thread that ends fails its callers, and the next call gets a new one", async () => {
  await executeCircuit(square, good);
  const running = executeCircuit(slow, { x: 1 }).catch((caught: unknown) => caught);
  await closeExecutor();
  expect(await running).toMatchObject({ name: "WitnessError", reason: "internal" });
  expect((await executeCircuit(square, good)).witness.length).toBeGreaterThan(0);
});

test("a witness that takes too long is given up, and the next call is served", async () => {
  await executeCircuit(square, good);
  const stuck = executeCircuit(slow, { x: 1 }, { timeoutMs: 50 });
  await expect(stuck).rejects.toMatchObject({ name: "WitnessError", reason: "timeout" });
  expect((await executeCircuit(square, good)).witness.length).toBeGreaterThan(0);
});

test("payments F4: a witness that takes too long ends alone: whoever waits behind it is served", async () => {
  await executeCircuit(square, good);
  const stuck = executeCircuit(slow, { x: 1 }, { timeoutMs: 50 });
  const behind = [executeCircuit(square, good), executeCircuit(cube, { x: 3, y: 27, data: [7, 7, 8, 9] })];
  await expect(stuck).rejects.toMatchObject({ reason: "timeout" });
  for (const { witness } of await Promise.all(behind)) expect(witness.length).toBeGreaterThan(0);
});

test("payments F4: a witness has its time from its own beginning, not from when it began to wait", async () => {
  const { durationMs } = await executeCircuit(slow, { x: 1 });
  const ahead = [1, 2, 3, 4, 5].map((x) => executeCircuit(slow, { x }));
  const last = executeCircuit(square, good, { timeoutMs: durationMs * 3 });
  await Promise.all(ahead);
  expect((await last).witness.length).toBeGreaterThan(0);
});

test("payments F4: unpaid work waits in a line with an end, and paid work goes before all of it", async () => {
  const order: string[] = [];
  const add = async (name: string, unpaid: boolean) => {
    await executeCircuit(square, good, { unpaid });
    order.push(name);
  };
  const running = executeCircuit(slow, { x: 1 });
  const waiting = Array.from({ length: maxUnpaidWaiting }, () => add("unpaid", true));
  await expect(add("one too many", true)).rejects.toMatchObject({ name: "WitnessError", reason: "busy" });
  await Promise.all([running, ...waiting, add("paid", false)]);
  expect(order).toEqual(["paid", ...waiting.map(() => "unpaid")]);
});
