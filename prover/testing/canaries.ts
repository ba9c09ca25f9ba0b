import { readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Kysely, sql } from "kysely";
import { isHex } from "viem";
import type { Prover } from "../server";
import type { ProverSchema } from "../store/schema";

/** Somewhere that must not hold a secret. */
export interface Place {
  name: string;
  bytes: Buffer;
}

/** Characters of a part that gives a secret away. */
const partLength = 20;
/** Larger files hold no text of ours: chain states, caches of tools. */
const maxFileBytes = 64 * 1024 * 1024;

/**
 * What a secret looks like when it leaks: as it is, as hexadecimal, as base64 in each alignment, and in parts. One that
 * is hexadecimal itself (an address, a signature) is looked for as bytes and as text.
 */
function leakedForms(secret: string): Buffer[] {
  const texts = isHex(secret) ? [secret.slice(2).toLowerCase(), secret.slice(2).toUpperCase()] : [secret];
  const raw = isHex(secret) ? [Buffer.from(secret.slice(2), "hex")] : texts.map((text) => Buffer.from(text));
  const encoded = raw.flatMap((bytes) => [
    bytes.toString("hex"),
    bytes.toString("hex").toUpperCase(),
    ...[0, 1, 2].flatMap((shift) => {
      const base64 = Buffer.concat([Buffer.alloc(shift), bytes]).toString("base64");
      // The first and last characters mix with what stands beside.
      const sure = base64.slice(shift === 0 ? 0 : 4, -4);
      return [sure, sure.replaceAll("+", "-").replaceAll("/", "_")];
    }),
  ]);
  const parts = [...texts, ...encoded].flatMap((text) => inParts(text));
  return [...new Set(parts)].map((text) => Buffer.from(text)).concat(raw);
}

/** Beginning, middle and end of a long text; a short one as it is. */
function inParts(text: string): string[] {
  if (text.length <= partLength) return text.length < 8 ? [] : [text];
  const middle = Math.floor((text.length - partLength) / 2);
  return [0, middle, text.length - partLength].map((at) => text.slice(at, at + partLength));
}

/** Where which secret was found: "database: email". Nothing means nothing leaked. */
export function findLeaks(secrets: Readonly<Record<string, string>>, places: readonly Place[]): string[] {
  // By their first two bytes, so that a place is read once, however many forms there are.
  const starting = new Map<number, { what: string; form: Buffer }[]>();
  const starts = new Uint8Array(0x10000);
  for (const [what, secret] of Object.entries(secrets)) {
    for (const form of leakedForms(secret)) {
      const start = form.readUInt16BE();
      starts[start] = 1;
      starting.set(start, [...(starting.get(start) ?? []), { what, form }]);
    }
  }
  const found = new Set<string>();
  for (const { name, bytes } of places) {
    let start = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      start = ((start << 8) & 0xffff) | (bytes[at] ?? 0);
      if (starts[start] !== 1) continue;
      for (const { what, form } of starting.get(start) ?? []) {
        if (at > 0 && form.equals(bytes.subarray(at - 1, at - 1 + form.length)))
          found.add(`${name}: ${what}`);
      }
    }
  }
  return [...found];
}

/** A text as a place. */
export function textPlace(name: string, text: string): Place {
  return { name, bytes: Buffer.from(text) };
}

/** Every row of every table of a database, of all schemas. */
export async function databasePlace(db: Kysely<ProverSchema>): Promise<Place> {
  const tables = await sql<{ schema: string; name: string }>`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`.execute(db);
  const rows: string[] = [];
  for (const { schema, name } of tables.rows) {
    const { rows: all } = await sql`select * from ${sql.table(`${schema}.${name}`)}`.execute(db);
    rows.push(`${schema}.${name} ${JSON.stringify(all)}`);
  }
  return textPlace("database", rows.join("\n"));
}

/** Every file below a folder; not `deep`, those that lie in it. */
async function folderPlaces(name: string, folder: string, newerThan = 0, deep = true): Promise<Place[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const places = await Promise.all(
    entries.map(async (entry) => {
      const file = path.join(folder, entry.name);
      if (entry.isDirectory()) return deep ? await folderPlaces(name, file, newerThan) : [];
      const known = entry.isFile() ? await stat(file).catch(() => undefined) : undefined;
      if (!known || known.mtimeMs < newerThan || known.size > maxFileBytes) return [];
      // Files of others come and go.
      const bytes = await readFile(file).catch(() => undefined);
      return bytes ? [{ name, bytes }] : [];
    }),
  );
  return places.flat();
}

/** Everything that a prover with an embedded database in this folder leaves behind; ends it and removes the folder. */
export async function remainsOf(server: Prover, folder: string): Promise<Place[]> {
  const metrics = server.metricsUrl ? await (await fetch(server.metricsUrl)).text() : "";
  const database = await databasePlace(server.store.payments.db);
  await server.close();
  const files = await folderPlaces("database files", folder);
  // Two places without which the search would prove nothing.
  if (!database.bytes.includes("public.payment") || files.length < 10)
    throw new Error("no database was searched");
  // It lies in the temporary folder, which is searched as well.
  await rm(folder, { recursive: true });
  return [textPlace("metrics", metrics), database, ...files];
}

/** Where programs write that do not ask where temporary files belong. */
const usual = "/tmp";

/** Every file of the temporary folder that was written since, and those that lie in the usual one when that is another. */
export async function temporaryPlaces(since: number): Promise<Place[]> {
  const places = await folderPlaces("temporary folder", tmpdir(), since);
  return tmpdir() === usual
    ? places
    : [...places, ...(await folderPlaces("temporary folder", usual, since, false))];
}

/** Kills a bb process of this very process; false when none runs. Linux only. */
export async function killBb(): Promise<boolean> {
  for (const pid of await readdir("/proc")) {
    if (!/^\d+$/.test(pid)) continue;
    const about = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
    const [, name, parent] = /^\d+ \((.*)\) \S (\d+)/.exec(about) ?? [];
    if (name === "bb" && Number(parent) === process.pid) {
      process.kill(Number(pid), "SIGKILL");
      return true;
    }
  }
  return false;
}
