import path from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { backUp } from "./backup";
import { type Program, programNames, readManifest } from "./manifest";
import { BackupError } from "./problem";
import { restore, secretsOf } from "./restore";
import { decrypterOf, encrypterFor, linesOf } from "./sealed";
import { writeVariables } from "./secrets";

const USAGES = {
  backup: `usage: npm run backup -- --to <new folder> --recipient age1… [--recipients <file>] [--without-secrets]
                        [app | prover ...]
Writes databases, uploads and secrets into a new folder, encrypted. The programs may run.`,
  restore: `usage: npm run restore -- --from <folder> --identity <file> [--offline] [--without-secrets]
                         [--secrets-to <new file>] [app | prover ...]
Restores a backup into empty places and checks it. Exits with 1 if something differs.
  --offline          does not compare records with the chain
  --without-secrets  leaves the backup's secrets alone, whose file may be elsewhere
  --secrets-to       only writes the variables that were secret into a file`,
};

/**
 * Runs `npm run backup`.
 * @param own the programs to back up when none is named
 * @returns the exit status
 */
export function backupCommand(args: readonly string[], own: readonly Program[] = programNames) {
  return run("backup", async () => {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        to: { type: "string" },
        recipient: { type: "string", multiple: true, default: [] },
        recipients: { type: "string", multiple: true, default: [] },
        "without-secrets": { type: "boolean", default: false },
      },
    });
    const inFiles = await Promise.all(values.recipients.map((file) => linesOf(file, "--recipients")));
    const stop = new AbortController();
    for (const signal of ["SIGINT", "SIGTERM"] as const)
      process.once(signal, () => stop.abort(new BackupError(`ended by ${signal}; nothing is left`)));
    await backUp({
      programs: programsOf(positionals, own),
      to: required(values.to, "--to"),
      encrypter: encrypterFor([...values.recipient, ...inFiles.flat()]),
      withSecrets: !values["without-secrets"],
      environment: process.env,
      signal: stop.signal,
    });
    return 0;
  });
}

/**
 * Runs `npm run restore`.
 * @param own the programs to restore when none is named
 * @returns the exit status
 */
export function restoreCommand(args: readonly string[], own: readonly Program[] = programNames) {
  return run("restore", async () => {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        from: { type: "string" },
        identity: { type: "string" },
        offline: { type: "boolean", default: false },
        "without-secrets": { type: "boolean", default: false },
        "secrets-to": { type: "string" },
      },
    });
    const from = path.resolve(required(values.from, "--from"));
    const decrypter = await decrypterOf(required(values.identity, "--identity"));
    const secretsTo = values["secrets-to"];
    if (secretsTo !== undefined) {
      await writeVariables(await secretsOf(from, await readManifest(from), decrypter), secretsTo);
      return 0;
    }
    const programs = programsOf(positionals, own);
    const { offline, "without-secrets": withoutSecrets } = values;
    const checks = await restore({
      ...{ programs, from, decrypter, offline },
      withSecrets: !withoutSecrets,
      environment: process.env,
    });
    for (const { what, ok, found } of checks) console.log(`${ok ? "ok  " : "DIFF"}  ${what}: ${found}`);
    return checks.every(({ ok }) => ok) ? 0 : 1;
  });
}

class UsageError extends Error {}

async function run(command: keyof typeof USAGES, work: () => Promise<number>): Promise<number> {
  // Only its own user may read what these commands write.
  process.umask(0o077);
  try {
    return await work();
  } catch (error) {
    if (error instanceof UsageError || (error instanceof TypeError && "code" in error)) {
      console.error(`${error.message}\n${USAGES[command]}`);
      return 2;
    }

    // Errors of databases carry their queries and parameters.
    const shown = error instanceof Error && error.cause instanceof BackupError ? error.cause : error;
    console.error(shown instanceof Error ? `${shown.name}: ${shown.message}` : "failed");
    return 1;
  }
}

function required(value: string | undefined, option: string): string {
  if (!value) throw new UsageError(`${option} is required`);
  return value;
}

function programsOf(named: readonly string[], own: readonly Program[]): readonly Program[] {
  const programs = z.array(z.enum(programNames)).safeParse(named);
  if (!programs.success) throw new UsageError(`programs are ${programNames.join(" and ")}`);
  return programs.data.length > 0 ? [...new Set(programs.data)] : own;
}
