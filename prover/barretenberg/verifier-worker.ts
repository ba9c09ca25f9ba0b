import { parentPort, workerData } from "node:worker_threads";
import { z } from "zod";
import { compileSolidity } from "../../contracts/compile";

/** Worker thread: compiles a generated verifier, which takes solc seconds. See compiled-verifier.ts. */
const { source } = z.object({ source: z.string() }).parse(workerData);
// bb's generated code has warnings of its own.
parentPort?.postMessage(compileSolidity({ "Verifier.sol": source }, { allowWarnings: true }));
