import { readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { BackupError } from "./problem";

export const MANIFEST = "manifest.json";

const count = z.int().nonnegative();
const sealedFile = {
  /** In the backup's folder. */
  file: z.string().regex(/^[a-z]+(\.[a-z]+)+$/),
  bytes: count,
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
};

export const programNames = ["app", "prover"] as const;
export type Program = (typeof programNames)[number];

const databaseSchema = z.strictObject({
  ...sealedFile,
  /** Both if they share one database. */
  programs: z.array(z.enum(programNames)).min(1),
  engine: z.enum(["postgres", "embedded"]),
  version: z.string(),
  /** Names of the migrations that each program has run. */
  migrations: z.array(z.string()),
  /** Rows of each table. */
  rows: z.record(z.string(), count),
});
export type DatabasePart = z.infer<typeof databaseSchema>;

const uploadsSchema = z.strictObject({
  ...sealedFile,
  files: count,
  /** Files that rows of the database name and that were not there: deleted since, or lost before. */
  missing: count,
});

/** What a backup holds, in clear: nothing about persons. */
const manifestSchema = z.strictObject({
  format: z.literal(1),
  createdAt: z.iso.datetime(),
  /** Version of Parley that wrote it. */
  parley: z.string(),
  databases: z.array(databaseSchema).min(1),
  uploads: uploadsSchema.optional(),
  secrets: z.strictObject(sealedFile).optional(),
});
export type Manifest = z.infer<typeof manifestSchema>;

/** Reads the manifest of a complete backup. @throws BackupError */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(path.join(folder, MANIFEST), "utf8").catch(() => {
    throw new BackupError(`--from: ${folder} is no complete backup: it has no ${MANIFEST}`);
  });
  const parsed = manifestSchema.safeParse(jsonOf(text));
  if (parsed.success) return parsed.data;
  const { path: where, message } = parsed.error.issues[0] ?? { path: [], message: "" };
  throw new BackupError(`--from: ${MANIFEST} is wrong at ${where.join(".") || "its top"}: ${message}`);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns every encrypted file of a backup. */
export function filesOf({ databases, uploads, secrets }: Manifest) {
  return [...databases, ...(uploads ? [uploads] : []), ...(secrets ? [secrets] : [])];
}
