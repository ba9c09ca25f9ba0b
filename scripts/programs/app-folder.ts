import path from "node:path";
import { pathToFileURL } from "node:url";
import { SettingsError } from "@/lib/settings/read";
import { backupCommand, restoreCommand } from "../backup/main";
import { doctor } from "../doctor/main";
import { migrate, openApp } from "./migrate";

/** `node index.js` in dist/app. */
const USAGE = `node index.js serve                the app
node index.js migrate              brings the database up to date, and ends
node index.js doctor [--json]      examines the installation, starts nothing
node index.js backup --to …        backs up database, uploads and secrets, encrypted
node index.js restore --from …     restores a backup into an empty place`;

const [command, ...args] = process.argv.slice(2);
// Relative paths count from this folder.
process.chdir(import.meta.dirname);
switch (command) {
  case "serve":
    Object.assign(process.env, { NODE_ENV: "production" });
    await import(pathToFileURL(path.join(import.meta.dirname, ".next", "entry.mjs")).href);
    break;
  case "migrate":
    await migrate(args, { app: openApp }, process.env).catch(failed);
    break;
  case "doctor":
    process.exitCode = await doctor(args, ["app"]);
    break;
  case "backup":
    process.exitCode = await backupCommand(args, ["app"]);
    break;
  case "restore":
    process.exitCode = await restoreCommand(args, ["app"]);
    break;
  default:
    console.error(USAGE);
    process.exitCode = 2;
}

function failed(error: unknown): void {
  console.error(error instanceof SettingsError ? error.message : error);
  process.exitCode = 1;
}
