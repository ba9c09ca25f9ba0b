import { randomUUID } from "node:crypto";
import { access, mkdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Encrypter } from "age-encryption";
import { log } from "@/lib/log";
import type { Environment } from "@/lib/settings/read";
import type { Storage } from "@/lib/storage";
import manifest from "@/package.json" with { type: "json" };
import { type DatabasePart, MANIFEST, type Manifest, type Program } from "./manifest";
import { type Place, placesOf } from "./places";
import { BackupError } from "./problem";
import { type Digest, sealInto } from "./sealed";
import { readSecrets } from "./secrets";
import { countRows, migrationsOf } from "./snapshot";
import { type PackedUploads, packUploads, rowsOfUploads } from "./uploads";

/** What a backup is made of, and where it goes. */
export interface BackupOptions {
  readonly programs: readonly Program[];
  /** The new folder. */
  readonly to: string;
  readonly encrypter: Encrypter;
  readonly withSecrets: boolean;
  readonly environment: Environment;
  /** Ends it early; nothing is left then. */
  readonly signal: AbortSignal;
}

/** Encrypts a stream into a file of the backup. */
type Seal = (file: string, content: AsyncIterable<Uint8Array>) => Promise<Digest & { file: string }>;

type UploadRows = Awaited<ReturnType<typeof rowsOfUploads>>;

/**
 * Writes a backup into a new folder, which appears complete or not at all. Programs may run: each database is read as it
 * was at one moment, and files after it, so that every file that its rows name is there unless it was deleted since.
 * @throws BackupError, SettingsError, and errors of database, storage and file system
 */
export async function backUp(options: BackupOptions): Promise<Manifest> {
  const { programs, environment, encrypter, signal } = options;
  const to = path.resolve(options.to);
  await assertAbsent(to);
  const { home, databases, storage } = placesOf(programs, environment);
  const partial = `${to}.partial-${randomUUID().slice(0, 8)}`;
  await mkdir(partial, { recursive: true, mode: 0o700 });
  const seal: Seal = async (file, content) => {
    const started = performance.now();
    const digest = await sealInto(path.join(partial, file), content, encrypter, signal);
    log.info({ file, bytes: digest.bytes, ms: Math.round(performance.now() - started) }, "backed up");
    return { file, ...digest };
  };
  try {
    const createdAt = new Date().toISOString();
    const read = [];
    for (const place of databases) read.push(await backUpDatabase(place, seal));
    const rows = read.find(({ part }) => part.programs.includes("app"))?.rows;
    const made: Manifest = {
      ...{ format: 1, createdAt, parley: manifest.version },
      databases: read.map(({ part }) => part),
      ...(storage && rows && { uploads: await backUpUploads(storage, rows, seal) }),
      ...(options.withSecrets && { secrets: await backUpSecrets(options, home, seal) }),
    };
    signal.throwIfAborted();
    await writeFile(path.join(partial, MANIFEST), `${JSON.stringify(made, null, 2)}\n`, { flush: true });
    await assertAbsent(to);
    await rename(partial, to);
    return made;
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
}

async function assertAbsent(to: string): Promise<void> {
  const exists = await access(to).then(
    () => true,
    () => false,
  );
  if (exists) throw new BackupError(`--to: ${to} exists; name a new folder`);
}

async function backUpDatabase(
  place: Place,
  seal: Seal,
): Promise<{ readonly part: DatabasePart; readonly rows: UploadRows | undefined }> {
  const snapshot = await place.snapshot();
  const { query, engine, version } = snapshot;
  try {
    const programs = [...place.programs];
    const hasApp = programs.includes("app");
    const rows = await countRows(query);
    if (Object.keys(rows).length === 0)
      throw new BackupError(`the database of ${programs.join(" and ")} has no tables`);
    const migrations = [
      ...(await migrationsOf(query, "community")),
      ...(await migrationsOf(query, "prover")),
    ];
    const uploads = hasApp ? await rowsOfUploads(query) : undefined;
    const sealed = await seal(`${programs[0]}.dump.age`, snapshot.dump());
    return { part: { ...sealed, programs, engine, version, migrations, rows }, rows: uploads };
  } finally {
    await snapshot.close();
  }
}

async function backUpUploads(storage: Storage, rows: UploadRows, seal: Seal) {
  const packed: PackedUploads = { files: 0, missing: 0 };
  const sealed = await seal("uploads.tar.age", packUploads(storage, rows, packed));
  return { ...sealed, ...packed };
}

async function backUpSecrets({ programs, environment }: BackupOptions, home: string, seal: Seal) {
  const secrets = await readSecrets(programs, environment, home);
  return await seal("secrets.json.age", bytesOf(JSON.stringify(secrets)));
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}
