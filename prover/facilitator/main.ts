import { startOrExit } from "../env";
import { startFacilitator } from "./app";
import { facilitatorConfig } from "./config";

/** Entry of the self-hosted facilitator: `tsx prover/facilitator/main.ts`. */
await startOrExit(async () => {
  const server = await startFacilitator(facilitatorConfig(process.env));
  console.log(`facilitator listening on ${server.url}`);
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, () => void server.close().then(() => process.exit(0)));
  }
});
