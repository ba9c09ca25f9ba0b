import { afterAll, afterEach, beforeEach, describe } from "vitest";
import { books } from "./cases/books";
import { buying } from "./cases/buying";
import { conformance } from "./cases/conformance";
import { examples } from "./cases/examples";
import { facilitatorAuthentication, gas } from "./cases/facilitator";
import { gateway } from "./cases/gateway";
import { inputs } from "./cases/inputs";
import { jobs } from "./cases/jobs";
import { admission, limits } from "./cases/limits";
import { money } from "./cases/money";
import { contractWallets, payments } from "./cases/payments";
import { encryption, privacy } from "./cases/privacy";
import { purchases } from "./cases/purchases";
import { sellersWord } from "./cases/sellers-word";
import { settlement } from "./cases/settlement";
import { crashes } from "./cases/sharing";
import { shown } from "./cases/shown";
import { surface } from "./cases/surface";
import { traces } from "./cases/traces";
import { oneTransfer, transactions } from "./cases/transactions";
import { sharedStack } from "./testing/shared-stack";
import type { RunningProver, Stack } from "./testing/stack";

// One stack for all: chains, verifier, keys and bb take longer to start than most cases to run.
const shared = sharedStack();

/**
 * Runs cases, and ends the provers they start: those of one test with it, others with the last case. One that has
 * nothing to do still asks its own database for work, which is in this process, some times a second.
 */
function run(cases: (stack: () => Stack) => void): void {
  describe(cases.name, () => {
    let started: RunningProver[] = [];
    let startedBefore: RunningProver[] = [];
    const closing: Promise<void>[] = [];
    // Nobody waits for one to end before the cases are over.
    const close = (provers: RunningProver[]) => closing.push(...provers.map(({ server }) => server.close()));
    beforeEach(() => {
      startedBefore = [...startedBefore, ...started];
      started = [];
    });
    afterEach(() => {
      close(started);
      started = [];
    });
    afterAll(async () => {
      close([...startedBefore, ...started]);
      await Promise.all(closing);
    });
    cases(() => ({
      ...shared(),
      async start(...changes) {
        const prover = await shared().start(...changes);
        started.push(prover);
        return prover;
      },
    }));
  });
}

for (const cases of [
  buying,
  examples,
  payments,
  inputs,
  money,
  purchases,
  sellersWord,
  conformance,
  contractWallets,
  transactions,
  gateway,
  settlement,
  oneTransfer,
  gas,
  facilitatorAuthentication,
  jobs,
  books,
  crashes,
  surface,
  shown,
  limits,
  admission,
  privacy,
  encryption,
  traces,
])
  run(cases);
