import { mkdir } from "node:fs/promises";
import path from "node:path";
import type { Decrypter } from "age-encryption";
import type { Kysely } from "kysely";
import type { Database } from "@/db/schema";
import { log } from "@/lib/log";
import { checkDeployment } from "@/lib/proofs/deployment.server";
import type { Environment } from "@/lib/settings/read";
import { createDatabase } from "@/lib/sql";
import type { Storage } from "@/lib/storage";
import { filesOf, MANIFEST, type Manifest, type Program, readManifest } from "./manifest";
import { type Place, placesOf } from "./places";
import { BackupError } from "./problem";
import { digestOf, unseal } from "./sealed";
import {
  differing,
  inHome,
  parseSecrets,
  readSecrets,
  restoreSecrets,
  type Secrets,
  secretsFor,
  settingOf,
} from "./secrets";
import { inStorage, restoreUploads, rowsOfUploads } from "./uploads";
import {
  type Check,
  checkInstallationLog,
  checkLogs,
  checkOf,
  checkRecords,
  checkRows,
  checkSeals,
  queryOn,
} from "./verify";

/** What to restore from, and where. */
export interface RestoreOptions {
  readonly programs: readonly Program[];
  /** The backup's folder. */
  readonly from: string;
  readonly decrypter: Decrypter;
  /** Whether secrets are restored and compared, if the backup has some. */
  readonly withSecrets: boolean;
  /** Whether records are not compared with the chain. */
  readonly offline: boolean;
  readonly environment: Environment;
}

/** Returns a backup's secrets. @throws BackupError */
export async function secretsOf(from: string, manifest: Manifest, decrypter: Decrypter): Promise<Secrets> {
  if (!manifest.secrets) throw new BackupError(`--from: ${from} was made without secrets`);
  return await parseSecrets(await unseal(path.join(from, manifest.secrets.file), decrypter));
}

/**
 * Restores a backup into empty places, and compares what is there then with what the backup says. Nothing is written
 * before every file of the backup has its digest and can be decrypted, and every place is empty.
 * @throws BackupError, SettingsError, and errors of database, storage and file system
 */
export async function restore(options: RestoreOptions): Promise<readonly Check[]> {
  const { from, decrypter, environment } = options;
  const { secrets: sealedSecrets, ...rest } = await readManifest(from);
  const manifest: Manifest = options.withSecrets ? { ...rest, secrets: sealedSecrets } : rest;
  const inBackup = manifest.databases.flatMap(({ programs }) => programs);
  const programs = options.programs.filter((each) => inBackup.includes(each));
  if (programs.length === 0) throw new BackupError(`--from: ${from} is of ${inBackup.join(" and ")} only`);
  const { home, databases, storage } = placesOf(programs, environment);
  const pairs = pairsOf(manifest, programs, databases);
  const open: Open = (file) => unseal(path.join(from, file), decrypter);
  await assertWhole(from, manifest, open);
  const secrets = manifest.secrets && secretsFor(programs, await secretsOf(from, manifest, decrypter));
  const occupied = [
    ...(await Promise.all(pairs.map(({ place }) => place.occupied()))),
    manifest.uploads && storage ? await inStorage(storage) : undefined,
    secrets && (await inHome(secrets, home)),
  ].filter((each) => each !== undefined);
  if (occupied.length > 0)
    throw new BackupError(`a backup is restored into an empty place only: ${occupied.join("; ")}`);

  await mkdir(home, { recursive: true, mode: 0o700 });
  if (secrets) await restoreSecrets(secrets, home);
  const now = await readSecrets(programs, environment, home);
  const checks: Check[] = [];
  for (const { part, place } of pairs) {
    const started = performance.now();
    await place.restore(await open(part.file));
    log.info({ file: part.file, ms: Math.round(performance.now() - started) }, "restored");
    const { db, close } = await createDatabase<Database>({ url: place.url });
    try {
      checks.push(await checkRows(db, part.programs.join(" and "), part.rows));
      if (!part.programs.includes("app")) continue;
      if (manifest.uploads && storage)
        checks.push(await restoreFiles(storage, manifest.uploads, db, await open(manifest.uploads.file)));
      checks.push(await checkLogs(db), await checkInstallationLog(db));
      checks.push(await checkSeals(db, settingOf("USER_ID_SECRET", now)));
      checks.push(
        options.offline
          ? { what: "records on the chain", ok: true, found: "not checked (--offline)" }
          : await checkRecords(db, checkDeployment(environment).deployment),
      );
    } finally {
      await close();
    }
  }
  return secrets ? [...checks, checkSecrets(programs, secrets, now)] : checks;
}

type Open = (file: string) => Promise<AsyncIterable<Uint8Array>>;

/** Returns each database of the backup with its place. @throws BackupError if one has none of its kind */
function pairsOf(manifest: Manifest, programs: readonly Program[], places: readonly Place[]) {
  const parts = manifest.databases.filter((part) => part.programs.some((each) => programs.includes(each)));
  const pairs = parts.map((part) => {
    const [place, other] = places.filter((each) =>
      each.programs.some((name) => part.programs.includes(name)),
    );
    if (!place || other)
      throw new BackupError("app and prover share one database in this backup: name one by both variables");
    if (place.engine !== part.engine)
      throw new BackupError(
        `the database of ${part.programs.join(" and ")} is ${part.engine} in this backup`,
      );
    return { part, place };
  });
  if (new Set(pairs.map(({ place }) => place)).size < pairs.length)
    throw new BackupError("app and prover have a database each in this backup: name two by their variables");
  return pairs;
}

/** @throws BackupError unless every file is as the manifest says, and an identity fits */
async function assertWhole(from: string, manifest: Manifest, open: Open): Promise<void> {
  for (const { file, bytes, sha256 } of filesOf(manifest)) {
    const found = await digestOf(path.join(from, file)).catch(() => undefined);
    if (!found) throw new BackupError(`--from: ${file} is missing`);
    if (found.bytes !== bytes || found.sha256 !== sha256)
      throw new BackupError(`--from: ${file} was changed or cut: its digest is another than in ${MANIFEST}`);
    for await (const _ of await open(file)) break;
  }
}

async function restoreFiles(
  storage: Storage,
  { files, missing }: NonNullable<Manifest["uploads"]>,
  db: Kysely<Database>,
  tar: AsyncIterable<Uint8Array>,
): Promise<Check> {
  const rows = await rowsOfUploads(queryOn(db));
  const keys = await restoreUploads(storage, rows, tar);
  const lacking = [...rows].flatMap(([key, { isStored }]) => (isStored && !keys.has(key) ? [key] : []));
  const wrong = [
    ...(keys.size === files ? [] : [`${keys.size} files, the backup had ${files}`]),
    ...(lacking.length === missing ? [] : lacking.map((key) => `${key} is missing`)),
  ];
  const noted = lacking.length > 0 ? `; missing when the backup was made: ${lacking.join(", ")}` : "";
  return checkOf("uploads", wrong, `${files} files${noted}`);
}

function checkSecrets(programs: readonly Program[], kept: Secrets, now: Secrets): Check {
  const names = programs.flatMap((each) => differing(each, kept, now));
  return checkOf(
    "secrets",
    names.map((name) => `${name} is not the one in the backup`),
    "the programs' settings have those of the backup",
  );
}
