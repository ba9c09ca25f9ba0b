import pg from "pg";

/** A database at one moment, while its program may go on. */
export interface Snapshot {
  readonly engine: "postgres" | "embedded";
  /** Of the server, for example "15.8". */
  readonly version: string;
  /** Runs a reading statement. */
  query(text: string): Promise<readonly Record<string, unknown>[]>;
  /** Reads the database: an archive of pg_dump, or a tar of the folder. To be called once, after all queries. */
  dump(): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** Runs a statement on an open database. */
export type Query = Snapshot["query"];

/** Ordinary tables of ours in every schema, partitions instead of the tables that they divide. */
const TABLES = `select n.nspname as schema, c.relname as name from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and n.nspname <> 'information_schema' and n.nspname not like 'pg\\_%'
    and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
  order by 1, 2`;

/** Returns the number of rows of every table, by its name with its schema. */
export async function countRows(query: Query): Promise<Record<string, number>> {
  const tables = await query(TABLES);
  if (tables.length === 0) return {};
  const counts = tables.map(({ schema, name }) => {
    const table = `${pg.escapeIdentifier(String(schema))}.${pg.escapeIdentifier(String(name))}`;
    return `select ${pg.escapeLiteral(`${schema}.${name}`)} as name, count(*)::float8 as rows from ${table}`;
  });
  const rows = await query(counts.join(" union all "));
  return Object.fromEntries(rows.map(({ name, rows: count }) => [String(name), Number(count)]));
}

/** Returns the names of the migrations that a program has run. */
export async function migrationsOf(
  query: Query,
  program: "community" | "prover",
): Promise<readonly string[]> {
  const table = `${program}_migration`;
  const [found] = await query(`select to_regclass('${table}') is not null as found`);
  if (!found?.found) return [];
  return (await query(`select name from ${table} order by name`)).map(({ name }) => String(name));
}
