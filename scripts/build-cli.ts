import path from "node:path";
import { buildCli } from "./dist/cli";
import { ROOT } from "./stack/settings";

/** `npm run build:cli`: writes dist/parley-cli, which `npm pack` packs. */
await buildCli(path.join(ROOT, "dist", "parley-cli"));
console.log("dist/parley-cli");
