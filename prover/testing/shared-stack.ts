import { afterAll, beforeAll } from "vitest";
import { type Stack, startStack } from "./stack";

/** Starts one stack for all tests of a file. @returns the stack, once tests run */
export function sharedStack(): () => Stack {
  let stack: Stack | undefined;
  beforeAll(async () => {
    stack = await startStack();
  });
  afterAll(async () => {
    await stack?.close();
  });
  return () => {
    if (!stack) throw new Error("the stack did not start");
    return stack;
  };
}
