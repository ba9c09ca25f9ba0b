import { afterAll, beforeAll } from "vitest";
import { drivers } from "@/lib/sql/testing";
import { sharing } from "./cases/sharing";
import { type Stack, startStack } from "./testing/stack";

let stack: Stack | undefined;
const shared = (): Stack => {
  if (!stack) throw new Error("the stack did not start");
  return stack;
};

beforeAll(async () => {
  stack = await startStack();
});
afterAll(async () => {
  await stack?.close();
});

for (const driver of drivers) sharing(shared, driver);
