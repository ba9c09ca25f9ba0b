import { compressBuild } from "./stack/compress";
import { bundleEntry, entryFiles } from "./stack/entry";
import { ROOT } from "./stack/root";

/** The second half of `npm run build`. */
await compressBuild(ROOT);
await bundleEntry(entryFiles.build);
