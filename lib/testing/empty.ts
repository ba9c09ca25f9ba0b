import { readFileSync } from "node:fs";
import { PGlite } from "@electric-sql/pglite";
import { kept } from "./kept";

/** Whose version decides what an embedded database looks like. */
export const pglitePackages = ["@electric-sql/pglite"];

let empty: Promise<Blob> | undefined;

/** The contents of an empty embedded database: one that begins with them does not make its system tables anew (2 s). */
export function emptyTemplate(): Promise<Blob> {
  const of = [readFileSync(import.meta.filename)];
  empty ??= kept("empty", { of, packages: pglitePackages }, smallDatabase).then(
    (contents) => new Blob([contents]),
  );
  return empty;
}

/**
 * As small as it gets: every test file unpacks a copy. Nobody makes databases in it, so it needs no template databases,
 * whose files are half of all; short WAL segments and few buffers leave out zeros.
 */
async function smallDatabase(): Promise<Uint8Array> {
  const pglite = await PGlite.create({
    initDbStartParams: ["--wal-segsize=1", "-c", "shared_buffers=16MB"],
  });
  await pglite.exec("update pg_database set datistemplate = false");
  await pglite.exec("drop database template0");
  await pglite.exec("drop database template1");
  const contents = await contentsOf(pglite);
  await pglite.close();
  return contents;
}

/** Everything in an embedded database. */
export async function contentsOf(pglite: PGlite): Promise<Uint8Array> {
  return new Uint8Array(await (await pglite.dumpDataDir("none")).arrayBuffer());
}
