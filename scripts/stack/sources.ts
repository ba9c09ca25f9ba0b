import path from "node:path";
import { internalVariables } from "@/lib/settings/development";
import { effectiveSettings } from "@/lib/settings/read";
import { ROOT } from "./settings";

/**
 * Returns the arguments with which Node runs a program of this repository: its bundle where `npm start` made one
 * (scripts/start.mjs), otherwise its source. @param entry relative to the root
 */
export function programArgs(entry: string): string[] {
  const { PARLEY_BUNDLES: bundles } = effectiveSettings(internalVariables, process.env);
  if (!bundles) return ["--import", "tsx", path.join(ROOT, entry)];
  return [path.join(bundles, entry.replace(/\.ts$/, ".mjs"))];
}
