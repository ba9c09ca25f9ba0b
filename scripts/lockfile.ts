import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { completed, lockfileProblems, lockfileSchema, TESTED_ENGINES } from "./lockfile/platforms";
import { ROOT } from "./stack/settings";

/**
 * `npm run lockfile`: completes package-lock.json after an install, so that `npm ci` accepts it on every platform. With
 * --check it only prints the problems. Run it after every `npm install <package>`.
 */
const file = path.join(ROOT, "package-lock.json");
const lock = lockfileSchema.parse(JSON.parse(await readFile(file, "utf8")));
const isCheck = process.argv.includes("--check");
const { lock: complete, added } = isCheck ? { lock, added: [] } : completed(lock, TESTED_ENGINES);
if (!isCheck) await writeFile(file, `${JSON.stringify(complete, null, 2)}\n`);
for (const name of added) console.log(`added ${name}`);
const left = lockfileProblems(complete, TESTED_ENGINES);
for (const problem of left) console.error(problem);
process.exitCode = left.length > 0 ? 1 : 0;
