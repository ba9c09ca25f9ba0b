import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { type OpenDatabase, openDatabase } from "@/db/client";
import { contentsOf, emptyTemplate, pglitePackages } from "./empty";
import { kept } from "./kept";

const migrations = path.resolve(import.meta.dirname, "../../db/migrations");
const url = "pglite:memory";

let template: Promise<Blob> | undefined;

/** A new migrated database in memory, from a template that is made once per set of migrations (0.3 s instead of 4 s). */
export async function memoryDatabase(): Promise<OpenDatabase> {
  template ??= loadTemplate();
  return await openDatabase({ url, template: await template, migrate: false });
}

async function loadTemplate(): Promise<Blob> {
  const sources = readdirSync(migrations)
    .sort()
    .flatMap((name) => [name, readFileSync(path.join(migrations, name))]);
  // What it begins with decides how large it is, too.
  const of = [...sources, readFileSync(path.join(import.meta.dirname, "empty.ts"))];
  return new Blob([await kept("template", { of, packages: pglitePackages }, migrated)]);
}

async function migrated(): Promise<Uint8Array> {
  const { pglite, close } = await openDatabase({ url, template: await emptyTemplate() });
  if (!pglite) throw new Error(`${url} is not embedded`);
  const contents = await contentsOf(pglite);
  await close();
  return contents;
}
