import path from "node:path";
import { log } from "@/lib/log";
import { appVariables } from "@/lib/settings/app";
import { generalVariables } from "@/lib/settings/general";
import { proverVariables } from "@/lib/settings/prover";
import { type Environment, readSettings, SettingsError } from "@/lib/settings/read";

/** How to open a program's database, which runs its missing migrations, by the program's name. */
export type Openers = Readonly<
  Record<string, (environment: Environment) => Promise<{ close(): Promise<void> }>>
>;

const { PARLEY_HOME } = generalVariables;

/** Returns where a program's database is. @throws SettingsError */
export const databaseUrls = {
  app(environment: Environment): string {
    const { DATABASE_URL } = appVariables;
    const given = readSettings({ PARLEY_HOME, DATABASE_URL }, environment);
    return given.DATABASE_URL ?? embedded(given.PARLEY_HOME, "app-db");
  },
  prover(environment: Environment): string {
    const { PROVER_DATABASE_URL } = proverVariables;
    const given = readSettings({ PARLEY_HOME, PROVER_DATABASE_URL }, environment);
    return given.PROVER_DATABASE_URL ?? embedded(given.PARLEY_HOME, "prover-db");
  },
};

/** Opens the app's database. */
export async function openApp(environment: Environment) {
  const { openDatabase } = await import("@/db/client");
  return await openDatabase({ url: databaseUrls.app(environment) });
}

/** Opens the prover's database. */
export async function openProver(environment: Environment) {
  const { openStore } = await import("@/prover/store");
  return await openStore({ url: databaseUrls.prover(environment) });
}

/**
 * Runs the missing migrations, and nothing else. Of several processes one migrates, and the others wait for it.
 * @param named the programs whose databases to migrate; default all
 * @throws SettingsError, and errors of the migrations
 */
export async function migrate(
  named: readonly string[],
  openers: Openers,
  environment: Environment,
): Promise<void> {
  const all = Object.keys(openers);
  for (const program of named.length > 0 ? named : all) {
    const open = openers[program];
    if (!open) throw new SettingsError([`migrate takes ${all.join(" or ")}, or nothing for all`]);
    const started = performance.now();
    const database = await open(environment);
    await database.close();
    log.info({ program, ms: Math.round(performance.now() - started) }, "migrated");
  }
}

function embedded(home: string, name: string): string {
  return `pglite:${path.join(path.resolve(home), name)}`;
}
