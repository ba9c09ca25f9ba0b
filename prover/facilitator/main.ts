import { startTracing } from "@/lib/tracing";
import { startOrExit } from "../env";
import { createLogger } from "../log";
import { startFacilitator } from "./app";
import { facilitatorConfig } from "./config";

/** Entry of the self-hosted facilitator: `tsx prover/facilitator/main.ts`. */
await startOrExit(async () => {
  const config = facilitatorConfig(process.env);
  const logger = createLogger(config.logLevel);
  const tracing = await startTracing("parley-facilitator");
  const server = await startFacilitator(config, logger, tracing);
  logger.info({ url: server.url }, "listening");
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    const stop = async () => {
      await server.close();
      await tracing.close().catch(() => undefined);
      process.exit(0);
    };
    process.once(signal, () => void stop());
  }
});
