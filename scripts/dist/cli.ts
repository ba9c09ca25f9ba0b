import path from "node:path";
import { ROOT } from "../stack/settings";
import { requireBanner } from "./bundling";
import { bundledFiles, writePackage } from "./packages";

const SOURCE = path.join(ROOT, "packages", "parley-cli");

/** Writes `parley-cli` as it is published: bundled, so that it needs `yargs` alone. @param to is replaced if it exists */
export async function buildCli(to: string): Promise<void> {
  const files = await bundledFiles(SOURCE, {
    entryPoints: { main: "src/main.ts" },
    tsconfig: path.join(ROOT, "tsconfig.json"),
    platform: "node",
    target: "node20",
    external: ["yargs"],
    splitting: true,
    banner: { js: requireBanner },
  });
  await writePackage(SOURCE, files, to);
}
