import { startOrExit } from "@/prover/env";
import { doctor } from "../doctor/main";
import { migrate, openProver } from "./migrate";

/** `node index.js` in dist/prover: what the whole installation needs, and the prover's own commands. */
const [command, ...args] = process.argv.slice(2);
switch (command) {
  case "migrate":
    await startOrExit(() => migrate(args, { prover: openProver }, process.env));
    break;
  case "doctor":
    process.exitCode = await doctor(args, ["prover"]);
    break;
  default:
    await import("@/prover/cli");
}
