import { startOrExit } from "@/prover/env";
import { migrate } from "./migrate";

/** `npm run migrate [-- app|prover]`. */
await startOrExit(() => migrate(process.argv.slice(3), process.env));
