import { loadDeployment } from "@/lib/proofs/deployment.server";
import { standInVariables } from "@/lib/settings/development";
import { readSettings } from "@/lib/settings/read";
import { DepositLedger } from "./ledger";
import { servedNetworks } from "./requests";
import { startGatewayServer } from "./server";

/** Entry point of the stub gateway's process. The stack passes all settings in the environment. */
const { GATEWAY_PORT, GATEWAY_FILE } = readSettings(standInVariables.gateway, process.env);

const server = await startGatewayServer({
  port: GATEWAY_PORT,
  networks: servedNetworks(loadDeployment().offers),
  ledger: new DepositLedger(GATEWAY_FILE),
});
console.log(`stub gateway listens on ${server.url}`);

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => void server.close().then(() => process.exit(0)));
}
