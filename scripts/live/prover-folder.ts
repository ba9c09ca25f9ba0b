import { type ChildProcess, execFile, spawn } from "node:child_process";
import { cp, readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { buildProver } from "@/scripts/dist/prover";
import { lockfileSchema } from "@/scripts/lockfile/platforms";
import { ROOT } from "@/scripts/stack/settings";

/** Builds dist/prover as an operator copies it, with the packages that `npm ci` puts there. @param folder is replaced */
export async function proverFolder(folder: string): Promise<void> {
  await buildProver(folder);
  // npm takes the lockfile; what it would put there is here already.
  await promisify(execFile)("npm", ["ci", "--dry-run", "--offline", "--omit=dev"], { cwd: folder });
  const lock = lockfileSchema.parse(
    JSON.parse(await readFile(path.join(folder, "package-lock.json"), "utf8")),
  );
  for (const name of Object.keys(lock.packages).filter(Boolean))
    await cp(path.join(ROOT, name), path.join(folder, name), { recursive: true, filter: isOwn(name) });
}

/** A package without those that lie in it: the lockfile names them too. */
function isOwn(name: string) {
  const nested = path.join(ROOT, name, "node_modules");
  return (from: string) => from !== nested;
}

/**
 * Starts the prover of such a folder with these variables and nothing else of this process' environment.
 * @param log the file descriptor that gets its log
 */
export function startProverFolder(
  folder: string,
  variables: Readonly<Record<string, string>>,
  log: "pipe" | number,
): ChildProcess {
  const { PATH, HOME, PARLEY_CACHE, XDG_CACHE_HOME, TMPDIR } = process.env;
  return spawn(process.execPath, ["index.js", "serve"], {
    cwd: folder,
    env: { PATH, HOME, PARLEY_CACHE, XDG_CACHE_HOME, TMPDIR, NODE_ENV: "production", ...variables },
    stdio: ["ignore", log, "inherit"],
  });
}
