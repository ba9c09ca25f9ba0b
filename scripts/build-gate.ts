import { cp } from "node:fs/promises";
import path from "node:path";
import { buildGate } from "./dist/gate";
import { ROOT } from "./stack/settings";

/** `npm run build:gate`: writes dist/parley-gate, and the element that every installation serves. */
const folder = path.join(ROOT, "dist", "parley-gate");
await buildGate(folder);
await cp(path.join(folder, "gate.js"), path.join(ROOT, "public", "gate.js"));
console.log("dist/parley-gate, public/gate.js");
