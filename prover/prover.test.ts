import { afterAll, beforeAll } from "vitest";
import { admission } from "./cases/admission";
import { books } from "./cases/books";
import { buying } from "./cases/buying";
import { contractWallets } from "./cases/contract-wallets";
import { crashes } from "./cases/crashes";
import { encryption } from "./cases/encryption";
import { facilitatorAuthentication } from "./cases/facilitator-auth";
import { gas } from "./cases/gas";
import { gateway } from "./cases/gateway";
import { inputs } from "./cases/inputs";
import { jobs } from "./cases/jobs";
import { limits } from "./cases/limits";
import { money } from "./cases/money";
import { oneTransfer } from "./cases/one-transfer";
import { payments } from "./cases/payments";
import { privacy } from "./cases/privacy";
import { settlement } from "./cases/settlement";
import { sharing } from "./cases/sharing";
import { shown } from "./cases/shown";
import { surface } from "./cases/surface";
import { transactions } from "./cases/transactions";
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
contractWallets(shared);
transactions(shared);
gateway(shared);
settlement(shared);
oneTransfer(shared);
gas(shared);
facilitatorAuthentication(shared);
jobs(shared);
books(shared);
crashes(shared);
sharing(shared);
surface(shared);
shown(shared);
limits(shared);
admission(shared);
privacy(shared);
encryption(shared);
