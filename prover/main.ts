import { startTracing } from "@/lib/tracing";
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
  const tracing = await startTracing("parley-prover");
  const backend = await loadBackend(config.deployment, {
    tracing,
    ...config.bb,
    onProgress: (step, fraction) => logger.info({ step, percent: Math.round(fraction * 100) }, "preparing"),
  });
  const prover = await startProver(config, { backend, logger, tracing });
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    const stop = async () => {
      await prover.close();
      await tracing.close().catch(() => undefined);
      process.exit(0);
    };
    process.once(signal, () => void stop());
  }
  logger.info({ url: prover.url }, "listening");
});
