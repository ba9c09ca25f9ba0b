import { buffer } from "node:stream/consumers";
import type { Storage } from "@/lib/storage";
import { parseKey } from "@/lib/storage/keys";
import { ahead } from "./ahead";
import { BackupError } from "./problem";
import type { Query } from "./snapshot";
import { entriesOf, tarOf } from "./tar";

/** Rows in one answer. */
const PAGE = 10_000;

/** A file that the database knows. */
interface Row {
  readonly isStored: boolean;
  readonly isWithheld: boolean;
}

/** Returns the files that rows name, by their keys: uploads, and what only a legal hold keeps. */
export async function rowsOfUploads(query: Query): Promise<ReadonlyMap<string, Row>> {
  const found = new Map<string, Row>();
  await addRows(query, found, (last) => `select key, stored, withheld from uploads where key > '${last}'`);
  // A database of an earlier release has no holds.
  const [holds] = await query("select to_regclass('held_files') is not null as found");
  if (holds?.found) {
    const held = (last: string) => `select distinct f.key, true as stored, true as withheld from held_files f
      where f.key > '${last}' and not exists (select from uploads u where u.key = f.key)`;
    await addRows(query, found, held);
  }
  return found;
}

/** @param after a statement for the rows after a key; keys have no quotes (lib/storage/keys.ts) */
async function addRows(
  query: Query,
  found: Map<string, Row>,
  after: (last: string) => string,
): Promise<void> {
  for (let last = ""; ; ) {
    const page = await query(`${after(last)} order by key limit ${PAGE}`);
    for (const { key, stored, withheld } of page) {
      last = String(key);
      if (!parseKey(last)) throw new BackupError("the database names an upload by what is no key");
      found.set(last, { isStored: stored === true, isWithheld: withheld === true });
    }
    if (page.length < PAGE) return;
  }
}

/** How many files were written, and which of those that rows name were not there. */
export interface PackedUploads {
  files: number;
  missing: number;
}

/**
 * Reads all files as a tar, each under its key, whether it is withheld or not: the rows of the database say that.
 * @param rows of a snapshot that was taken before
 * @param packed is up to date when the tar has ended
 */
export function packUploads(
  storage: Storage,
  rows: ReadonlyMap<string, Row>,
  packed: PackedUploads,
): AsyncIterable<Uint8Array> {
  return tarOf(async (add) => {
    const keys = new Set(rows.keys());
    for await (const key of storage.keys()) keys.add(key);
    const files = ahead(keys, async (key) => ({ key, bytes: await readAnywhere(storage, key) }));
    for await (const { key, bytes } of files) {
      if (bytes) {
        packed.files += 1;
        await add({ name: key, size: bytes.length, mode: 0o600 }, bytes);
      } else if (rows.get(key)?.isStored) packed.missing += 1;
    }
  });
}

/** A file may be moved back while this looks for it, so that it looks again. */
async function readAnywhere(storage: Storage, key: string): Promise<Uint8Array | null> {
  return (await storage.read(key)) ?? (await storage.readWithheld(key)) ?? (await storage.read(key));
}

/** Returns what is in the way of restored files. */
export async function inStorage(storage: Storage): Promise<string | undefined> {
  for await (const key of storage.keys()) return `the uploads are not empty: there is ${key}`;
  return undefined;
}

/** Writes the files of a tar where the restored rows say that they are. @returns their keys */
export async function restoreUploads(
  storage: Storage,
  rows: ReadonlyMap<string, Row>,
  tar: AsyncIterable<Uint8Array>,
): Promise<ReadonlySet<string>> {
  const keys = new Set<string>();
  const written = ahead(filesOf(tar), async ({ key, bytes }) => {
    await storage.put(key, bytes, parseKey(key)?.contentType ?? "");
    if (rows.get(key)?.isWithheld) await storage.withhold(key);
    return key;
  });
  for await (const key of written) keys.add(key);
  return keys;
}

async function* filesOf(tar: AsyncIterable<Uint8Array>): AsyncGenerator<{ key: string; bytes: Uint8Array }> {
  for await (const { header, content } of entriesOf(tar)) {
    if (!parseKey(header.name)) throw new BackupError("the archive of the uploads has a name that is no key");
    yield { key: header.name, bytes: await buffer(content) };
  }
}
