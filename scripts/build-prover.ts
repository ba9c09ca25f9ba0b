import path from "node:path";
import { parseArgs } from "node:util";
import { buildProver } from "./dist/prover";
import { megabytes, sizeOnDisk } from "./dist/size";
import { ROOT } from "./stack/settings";

/** `npm run build:prover [-- --platform arm64-linux]`: writes dist/prover. */
const { values } = parseArgs({ options: { platform: { type: "string" } } });
const folder = path.join(ROOT, "dist", "prover");
await buildProver(folder, values.platform);
console.log(`dist/prover: ${megabytes(await sizeOnDisk(folder))} MB, before npm ci adds its packages`);
