import { startOrExit } from "@/prover/env";
import { backupCommand, restoreCommand } from "../backup/main";
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
  case "backup":
    process.exitCode = await backupCommand(args, ["prover"]);
    break;
  case "restore":
    process.exitCode = await restoreCommand(args, ["prover"]);
    break;
  default:
    await import("@/prover/cli");
}
