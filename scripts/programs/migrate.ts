import path from "node:path";
import { z } from "zod";
import { openDatabase } from "@/db/client";
import { log } from "@/lib/log";
import { appVariables } from "@/lib/settings/app";
import { generalVariables } from "@/lib/settings/general";
import { proverVariables } from "@/lib/settings/prover";
import { type Environment, readSettings, SettingsError } from "@/lib/settings/read";
import { openStore } from "@/prover/store";

const owners = ["app", "prover"] as const;
type Owner = (typeof owners)[number];

/** Opening a database runs its missing migrations. */
const open: Record<Owner, (url: string) => Promise<{ close(): Promise<void> }>> = {
  app: (url) => openDatabase({ url }),
  prover: (url) => openStore({ url }),
};

/**
 * Runs the missing migrations, and nothing else. Of several processes one migrates, and the others wait for it.
 * @param named the programs whose databases to migrate; default all of `own`
 * @throws SettingsError, and errors of the migrations
 */
export async function migrate(
  named: readonly string[],
  environment: Environment,
  own: readonly Owner[] = owners,
): Promise<void> {
  const chosen = z.array(z.enum(owners)).safeParse(named);
  if (!chosen.success) throw new SettingsError([`migrate takes ${owners.join(" and ")}`]);
  const urls = databaseUrls(environment);
  for (const program of chosen.data.length > 0 ? chosen.data : own) {
    const started = performance.now();
    const database = await open[program](urls[program]);
    await database.close();
    log.info({ program, ms: Math.round(performance.now() - started) }, "migrated");
  }
}

function databaseUrls(environment: Environment): Record<Owner, string> {
  const { PARLEY_MODE, PARLEY_HOME } = generalVariables;
  const { DATABASE_URL } = appVariables;
  const { PROVER_DATABASE_URL } = proverVariables;
  const given = readSettings({ PARLEY_MODE, PARLEY_HOME, DATABASE_URL, PROVER_DATABASE_URL }, environment);
  const home = path.resolve(given.PARLEY_HOME);
  return {
    app: given.DATABASE_URL ?? `pglite:${path.join(home, "app-db")}`,
    prover: given.PROVER_DATABASE_URL ?? `pglite:${path.join(home, "prover-db")}`,
  };
}
