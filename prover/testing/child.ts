import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { z } from "zod";
import { proverConfig } from "../config";
import { startOrExit } from "../env";
import { createLogger } from "../log";
import { startProver } from "../server";
import { openStore } from "../store/index";
import { recordedBackend } from "./recorded-backend";

/**
 * A prover process of the crash tests: the real service with a recorded proof. It takes its environment as a line of
 * JSON on its standard input, ends itself with SIGKILL at one step, and says on its standard output what it proves.
 */
const schema = z.object({
  /** JSON file of the proof it hands out. */
  RECORDED_PROOF: z.string(),
  /** No proof is made while this file exists. */
  HOLD_WHILE: z.string().optional(),
  /** Step to die at. */
  CRASH_AT: z.string().optional(),
  /** Contents for a new embedded database. */
  DATABASE_TEMPLATE: z.string().optional(),
  PEER_SILENCE_MS: z.coerce.number().default(2_000),
});

await startOrExit(async () => {
  // Loading took the longest; what to do is said when it is needed.
  const [line] = await once(createInterface(process.stdin), "line");
  const environment = z.record(z.string(), z.string()).parse(JSON.parse(String(line)));
  Object.assign(process.env, environment);
  const told = schema.parse(environment);
  const config = proverConfig(process.env);
  const die = async (step: string) => {
    if (step !== told.CRASH_AT) return;
    process.kill(process.pid, "SIGKILL");
    // Nothing more happens; the signal may take a moment.
    await new Promise(() => undefined);
  };
  const backend = await recordedBackend(config.deployment, told.RECORDED_PROOF, async () => {
    process.stdout.write("proving\n");
    while (told.HOLD_WHILE && existsSync(told.HOLD_WHILE)) await setTimeout(50);
  });
  const isNew = !existsSync(config.databaseUrl.slice("pglite:".length));
  const template =
    told.DATABASE_TEMPLATE && isNew
      ? new Blob([new Uint8Array(await readFile(told.DATABASE_TEMPLATE))])
      : undefined;
  const store = await openStore({
    ...{ url: config.databaseUrl, secret: config.secret, template },
    silenceMs: told.PEER_SILENCE_MS,
  });
  const logger = createLogger("silent");
  const prover = await startProver(config, { backend, store, logger, checkpoint: die });
  process.once("SIGTERM", () => void prover.close().then(() => process.exit(0)));
  process.stdout.write(`listening ${prover.url}\n`);
});
