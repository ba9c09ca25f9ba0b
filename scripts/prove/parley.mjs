#!/usr/bin/env node
// `parley prove …` runs `npm run prove` from any folder. A checkout needs no build: tsx reads the sources, with this
// package's own settings.
import { fileURLToPath } from "node:url";
import { register } from "tsx/esm/api";

const [command, ...rest] = process.argv.slice(2);
if (command !== "prove") {
  console.error("usage: parley prove <circuit> [options]; see parley prove --help");
  process.exit(2);
}
process.argv.splice(2, process.argv.length, ...rest);
register({ tsconfig: fileURLToPath(new URL("../../tsconfig.json", import.meta.url)) });
await import("./index.ts");
