import { readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { ROOT } from "../stack/root";

const packageSchema = z.object({
  version: z.string(),
  license: z.string(),
  engines: z.record(z.string(), z.string()),
});

/** What the packages of both programs say as the repository's does. */
export async function rootPackage() {
  return packageSchema.parse(JSON.parse(await readFile(path.join(ROOT, "package.json"), "utf8")));
}
