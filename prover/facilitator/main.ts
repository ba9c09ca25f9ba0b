import { startOrExit } from "../env";
import { createLogger } from "../log";
import { startFacilitator } from "./app";
import { facilitatorConfig } from "./config";

/** Entry of the self-hosted facilitator: `tsx prover/facilitator/main.ts`. */
await startOrExit(async () => {
  const config = facilitatorConfig(process.env);
  const logger = createLogger(config.logLevel);
  const server = await startFacilitator(config, logger);
  logger.info({ url: server.url }, "listening");
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, () => void server.close().then(() => process.exit(0)));
  }
});
