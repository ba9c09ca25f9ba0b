import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from "age-encryption";
import { type OpenDatabase, openDatabase } from "@/db/client";
import type { Environment } from "@/lib/settings/read";
import { startPostgres } from "@/lib/sql/testing";
import { diskStorage } from "@/lib/storage/disk";
import { testDeployment } from "@/lib/testing/deployment";
import { emptyTemplate } from "@/lib/testing/empty";
import { createHarness, type Harness, type HarnessOptions } from "@/lib/testing/harness";
import { backUp } from "./backup";
import { restore } from "./restore";
import type { Check } from "./verify";

export const secrets = { SESSION_SECRET: "s-sealed-".repeat(5), USER_ID_SECRET: "u-sealed-".repeat(5) };

/** Places for installations and backups of one test file, with a PostgreSQL of its own. */
export async function startBackupWorld() {
  const postgres = await startPostgres();
  const folder = await mkdtemp(path.join(os.tmpdir(), "parley-backup-"));
  const identity = await generateX25519Identity();
  const recipient = await identityToRecipient(identity);
  const decrypter = (key = identity) => {
    const made = new Decrypter();
    made.addIdentity(key);
    return made;
  };
  const encrypter = () => {
    const made = new Encrypter();
    made.addRecipient(recipient);
    return made;
  };

  /** Settings of an installation with nothing in it. */
  async function emptyPlace(engine: "embedded" | "postgres"): Promise<Environment & { PARLEY_HOME: string }> {
    const name = `p_${randomUUID().replaceAll("-", "")}`;
    const home = path.join(folder, name);
    const url =
      engine === "embedded" ? `pglite:${path.join(home, "app-db")}` : await postgres?.createDatabase(name);
    return {
      ...secrets,
      PARLEY_HOME: home,
      DATABASE_URL: url,
      PARLEY_DEPLOYMENT: JSON.stringify(testDeployment()),
    };
  }

  return {
    folder,
    ...{ identity, recipient, encrypter, decrypter, emptyPlace },
    /** An installation whose app runs. */
    async install(engine: "embedded" | "postgres", options: HarnessOptions = {}) {
      const environment = await emptyPlace(engine);
      const url = environment.DATABASE_URL ?? "";
      const template = engine === "embedded" ? await emptyTemplate() : undefined;
      const database: OpenDatabase = await openDatabase({ url, template });
      const h: Harness = await createHarness({ ...options, database, env: { ...secrets, ...options.env } });
      return { environment, h, storage: diskOf(environment) };
    },
    newFolder: () => path.join(folder, `b_${randomUUID().slice(0, 8)}`),
    backUp: (environment: Environment, to: string, changes: Partial<Parameters<typeof backUp>[0]> = {}) =>
      backUp({
        ...{ programs: ["app"], to, environment, withSecrets: true, encrypter: encrypter() },
        signal: new AbortController().signal,
        ...changes,
      }),
    restore: (from: string, environment: Environment, changes: Partial<Parameters<typeof restore>[0]> = {}) =>
      restore({
        ...{ programs: ["app"], from, environment, offline: true, withSecrets: true, decrypter: decrypter() },
        ...changes,
      }),
    async close() {
      await rm(folder, { recursive: true, force: true });
      await postgres?.close();
    },
  };
}
export type BackupWorld = Awaited<ReturnType<typeof startBackupWorld>>;

/** The uploads of an installation without a bucket. */
export function diskOf({ PARLEY_HOME }: { readonly PARLEY_HOME: string }) {
  const folder = path.join(PARLEY_HOME, "uploads");
  const rest = { appUrl: "http://localhost", secrets: [new Uint8Array(32)] as const, now: () => new Date() };
  return diskStorage({ folder, env: "development", ...rest });
}

/** What is wrong by the checks of a restore. */
export const problems = (checks: readonly Check[]) =>
  checks.filter(({ ok }) => !ok).map(({ what, found }) => `${what}: ${found}`);

/** Every byte below a folder, one file after the other. */
export async function contentsBelow(folder: string): Promise<Buffer> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((each) =>
    each.isFile(),
  );
  return Buffer.concat(
    await Promise.all(files.map((each) => readFile(path.join(each.parentPath, each.name)))),
  );
}
