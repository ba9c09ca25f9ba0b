import path from "node:path";

/** Whether this is the bundle of scripts/dist/prover.ts, with its files beside it, and not the repository's sources. */
export const isBundled = path.extname(import.meta.url) === ".js";
