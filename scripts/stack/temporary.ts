import { mkdtemp } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { freePorts } from "./ports";
import type { StackSettings } from "./settings";

/** Settings for a stack of its own: a new folder, free ports, no demo. For tests and the test entry. */
export async function temporarySettings(overrides: Partial<StackSettings> = {}): Promise<StackSettings> {
  const [app = 0, prover = 0, facilitator = 0, idp = 0, attester = 0, gateway = 0, ...chains] =
    await freePorts(10);
  const [base = 0, arc = 0, giwa = 0, ethereum = 0] = chains;
  return {
    mode: "development",
    home: await mkdtemp(path.join(os.tmpdir(), "parley-")),
    demo: false,
    dev: false,
    env: process.env,
    ports: {
      ...{ app, prover, facilitator, idp, attester, gateway },
      chains: { 8453: base, 5042002: arc, 91342: giwa, 1: ethereum },
    },
    ...overrides,
  };
}
