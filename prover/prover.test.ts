import { afterAll, beforeAll } from "vitest";
import { buying } from "./cases/buying";
import { inputs } from "./cases/inputs";
import { jobs } from "./cases/jobs";
import { money } from "./cases/money";
import { payments } from "./cases/payments";
import { settlement } from "./cases/settlement";
import { surface } from "./cases/surface";
import { type Stack, startStack } from "./testing/stack";

// One stack for all: chains, verifier, keys and bb take longer to start than most cases to run.
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

buying(shared);
payments(shared);
inputs(shared);
money(shared);
settlement(shared);
jobs(shared);
surface(shared);
