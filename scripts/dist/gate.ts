import path from "node:path";
import { ROOT } from "../stack/settings";
import { bundledFiles, type Files, writePackage } from "./packages";

const SOURCE = path.join(ROOT, "packages", "parley-gate");

/** The files of the package by name: the element for browsers, and the verifier for servers, which needs `jose`. */
export async function gateFiles(): Promise<Files> {
  return await bundledFiles(SOURCE, {
    entryPoints: { gate: "src/gate.ts", server: "src/server.ts" },
    target: "es2022",
    external: ["jose"],
  });
}

/** Writes the package as it is published. @param to is replaced if it exists */
export async function buildGate(to: string): Promise<void> {
  await writePackage(SOURCE, await gateFiles(), to);
}
