import { startOrExit } from "../env";
import { facilitatorConfig } from "./config";
import { startFacilitator } from "./server";

/** Entry of the self-hosted facilitator: `tsx prover/facilitator/main.ts`. */
await startOrExit(async () => {
  const server = await startFacilitator(facilitatorConfig(process.env));
  console.log(`facilitator listening on ${server.url}`);
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, () => void server.close().then(() => process.exit(0)));
  }
});
