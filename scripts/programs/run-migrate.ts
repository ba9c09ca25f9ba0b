import { startOrExit } from "@/prover/env";
import { migrate, openApp, openProver } from "./migrate";

/** `npm run migrate [-- app|prover]`. */
await startOrExit(() => migrate(process.argv.slice(3), { app: openApp, prover: openProver }, process.env));
