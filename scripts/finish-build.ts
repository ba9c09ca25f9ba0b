import path from "node:path";
import { assembleApp, isStandalone } from "./dist/app";
import { megabytes, sizeOnDisk } from "./dist/size";
import { bundleEntry, compressBuild, entryFiles } from "./stack/next-build";
import { ROOT } from "./stack/settings";

/** The second half of `npm run build`. */
await compressBuild(ROOT);
await bundleEntry(entryFiles.build);
if (await isStandalone()) {
  const folder = path.join(ROOT, "dist", "app");
  await assembleApp(folder);
  console.log(`dist/app: ${megabytes(await sizeOnDisk(folder))} MB`);
}
