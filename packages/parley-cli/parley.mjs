#!/usr/bin/env node
// Runs parley-cli in a checkout, from any folder and without a build: tsx reads the sources, with this repository's own
// settings.
import { fileURLToPath } from "node:url";
import { register } from "tsx/esm/api";

register({ tsconfig: fileURLToPath(new URL("../../tsconfig.json", import.meta.url)) });
await import("./src/main.ts");
