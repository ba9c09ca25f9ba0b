import { z } from "zod";
import { loadDeployment } from "@/lib/proofs/deployment.server";
import { DepositLedger } from "./ledger";
import { servedNetworks } from "./requests";
import { startGatewayServer } from "./server";

/** Entry point of the stub gateway's process. The stack passes all settings in the environment. */
const env = z
  .object({ GATEWAY_PORT: z.coerce.number().int().min(1).max(65_535), GATEWAY_FILE: z.string().min(1) })
  .parse(process.env);

const server = await startGatewayServer({
  port: env.GATEWAY_PORT,
  networks: servedNetworks(loadDeployment().offers),
  ledger: new DepositLedger(env.GATEWAY_FILE),
});
console.log(`stub gateway listens on ${server.url}`);

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => void server.close().then(() => process.exit(0)));
}
