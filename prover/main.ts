import { loadBackend } from "./backend";
import { proverConfig } from "./config";
import { refuseDumps } from "./dumps";
import { startOrExit } from "./env";
import { createLogger } from "./log";
import { startProver } from "./server";

/** Entry of the prover: `tsx prover/main.ts`. */
await startOrExit(async () => {
  // Only its own user may read what this process writes (keys, its embedded database).
  process.umask(0o077);
  const config = proverConfig(process.env);
  if (config.deployment.mode === "production") await refuseDumps();
  const logger = createLogger(config.logLevel);
  const backend = await loadBackend(config.deployment, {
    ...config.bb,
    onProgress: (step, fraction) => logger.info({ step, percent: Math.round(fraction * 100) }, "preparing"),
  });
  const prover = await startProver(config, { backend, logger });
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, () => void prover.close().then(() => process.exit(0)));
  }
  await backend.warm();
  logger.info({ url: prover.url }, "listening");
});
