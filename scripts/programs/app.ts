import path from "node:path";
import { pathToFileURL } from "node:url";
import { homeFolder } from "@/lib/settings/general";
import { Children } from "../stack/children";
import { ensureNextBuild, entryFiles } from "../stack/next-build";
import { homePaths, ROOT } from "../stack/settings";

/** `npm run start:app`: builds the app if its sources have changed since the last build, and becomes it. */
const children = new Children(homePaths(homeFolder()).logs, () => undefined, { output: process.stderr });
await ensureNextBuild(children);
await children.stop();
Object.assign(process.env, { NODE_ENV: "production" });
await import(pathToFileURL(path.join(ROOT, entryFiles.build)).href);
