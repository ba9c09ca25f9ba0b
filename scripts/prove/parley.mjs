#!/usr/bin/env node
// `parley prove …`: the program of `npm run prove` from any folder. A checkout needs no build: tsx reads the sources,
// with this package's own settings, wherever it is called.
import { fileURLToPath } from "node:url";
import { register } from "tsx/esm/api";

const [command, ...rest] = process.argv.slice(2);
if (command !== "prove") {
  console.error("usage: parley prove <circuit> [options]; parley prove --help tells more");
  process.exit(2);
}
process.argv.splice(2, process.argv.length, ...rest);
register({ tsconfig: fileURLToPath(new URL("../../tsconfig.json", import.meta.url)) });
await import("./index.ts");
