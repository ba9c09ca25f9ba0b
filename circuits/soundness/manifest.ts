import fs from "node:fs";
import path from "node:path";
import { z } from "zod";
import { ARTIFACTS_DIR } from "@/scripts/circuits/paths";

const Manifest = z.record(
  z.string(),
  z.object({ artifactSha256: z.string(), gates: z.number(), noirVersion: z.string(), bbVersion: z.string() }),
);

/** The committed manifest: which artifacts the results are about. */
export function manifest() {
  return Manifest.parse(JSON.parse(fs.readFileSync(path.join(ARTIFACTS_DIR, "manifest.json"), "utf8")));
}
