import { compressBuild } from "./stack/compress";
import { ROOT } from "./stack/root";

/** The second half of `npm run build`. */
await compressBuild(ROOT);
