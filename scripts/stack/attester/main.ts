import { standInVariables } from "@/lib/settings/development";
import { readSettings } from "@/lib/settings/read";
import { developmentAccount } from "../accounts";
import { startAttesterServer } from "./server";

/** Entry point of the development attester's process. The stack passes all settings in the environment. */
const settings = readSettings(standInVariables.attester, process.env);

const server = await startAttesterServer({
  port: settings.ATTESTER_PORT,
  rpcUrls: { 8453: settings.ATTESTER_RPC_8453, 91342: settings.ATTESTER_RPC_91342 },
  known: [
    { name: "Wallet to import into an extension", address: developmentAccount("browser").address },
    { name: "Wallet of npm run journey", address: developmentAccount("journey").address },
    { name: "Wallet of the demo", address: developmentAccount("demo").address },
  ],
});
console.log(`development attester listens on ${server.url}`);

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => void server.close().then(() => process.exit(0)));
}
