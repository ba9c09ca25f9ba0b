import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";

/** A program that runs until it is stopped. */
interface RunningProgram {
  /** Sends SIGTERM and waits. @returns what it wrote to standard error */
  stop(): Promise<string>;
}

/** Returns where a program is; undefined if this machine lacks it. */
export function installed(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? "").split(path.delimiter), "/usr/sbin"];
  return folders.map((folder) => path.join(folder, name)).find((file) => existsSync(file));
}

/** Starts a program that is stopped by SIGTERM. */
export function startProgram(
  command: string,
  args: readonly string[],
  env?: NodeJS.ProcessEnv,
): RunningProgram {
  const child = spawn(command, args, { env, stdio: ["ignore", "ignore", "pipe"] });
  const told = text(child.stderr);
  return {
    async stop() {
      if (child.exitCode === null) {
        const ended = once(child, "exit");
        child.kill("SIGTERM");
        await ended;
      }
      return await told;
    },
  };
}

/**
 * Starts nginx with nothing but a site, as deploy/nginx.conf is one.
 * @param nginx the program
 * @param folder for its files, which exists
 * @throws Error with nginx' own words if it refuses the site
 */
export async function startNginx(nginx: string, folder: string, site: string): Promise<RunningProgram> {
  const config = path.join(folder, "nginx.conf");
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  await writeFile(
    config,
    `daemon off; pid ${folder}/nginx.pid; error_log stderr; ${process.getuid?.() === 0 ? "user root;" : ""}
events {} http { access_log off; ${temporary.join(" ")} ${site} }`,
  );
  const args = ["-e", "stderr", "-p", folder, "-c", config];
  await promisify(execFile)(nginx, ["-t", ...args]);
  return startProgram(nginx, args);
}
