import { z } from "zod";

const names = z.record(z.string(), z.string());
const entrySchema = z.looseObject({
  version: z.string().optional(),
  resolved: z.string().optional(),
  integrity: z.string().optional(),
  optional: z.boolean().optional(),
  dev: z.boolean().optional(),
  os: z.array(z.string()).optional(),
  cpu: z.array(z.string()).optional(),
  libc: z.array(z.string()).optional(),
  engines: z.union([names, z.array(z.string())]).optional(),
  dependencies: names.optional(),
  optionalDependencies: names.optional(),
});
const lockfileShape = z.looseObject({
  lockfileVersion: z.literal(3),
  packages: z.record(z.string(), entrySchema),
});
export type Lockfile = z.infer<typeof lockfileShape>;
/** The parts of package-lock.json that we read. Parsing returns the same object, to keep npm's order of keys. */
export const lockfileSchema = z.custom<Lockfile>((value) => lockfileShape.safeParse(value).success);
type Entry = z.infer<typeof entrySchema>;

/**
 * Libraries that require a newer Node than we support but run on ours: CI runs every test on Node 20. The lockfile states
 * the range we test, so that `npm ci` warns only about untested versions. Remove an entry when its reason is gone.
 */
export const TESTED_ENGINES: Readonly<Record<string, string>> = {
  "kysely@0.29.9": ">=20.19",
  "sanitize-html@2.18.1": ">=20.19",
};

/** The platforms we support. A package with one binary per platform must have one for each. */
const TARGETS = ["linux", "darwin"].flatMap((os) => ["x64", "arm64"].map((cpu) => ({ os, cpu })));

const SYSTEMS = ["android", "darwin", "freebsd", "linux", "openharmony", "win32"];
const PROCESSORS = ["arm", "arm64", "ia32", "loong64", "ppc64", "riscv64", "s390x", "x64", "wasm32"];

/**
 * Derives the platform of a binary package from its name.
 * @throws Error when the name does not tell the platform
 */
export function platformOf(name: string): Pick<Entry, "os" | "cpu" | "libc"> {
  const words = name.split("/").at(-1)?.split("-") ?? [];
  const os = words.find((word) => SYSTEMS.includes(word));
  const cpu = words.includes("amd64") ? "x64" : words.find((word) => PROCESSORS.includes(word));
  if (cpu === "wasm32") return { cpu: [cpu] };
  if (!os || !cpu) throw new Error(`${name}: its name does not tell the platform`);
  const libc = words.includes("musl") ? "musl" : words.some((word) => /^gnu/.test(word)) ? "glibc" : null;
  return { cpu: [cpu], ...(libc && { libc: [libc] }), os: [os] };
}

/** Finds optional dependencies that the lockfile lacks, with the package that names them. `npm ci` refuses such a lockfile. */
function missingFrom({ packages }: Lockfile) {
  return Object.entries(packages).flatMap(([of, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !resolve(packages, of, name))
      .map(([name, version]) => ({ name, version, of })),
  );
}

/** Returns the key of the package that Node resolves for `name` from `from`: next to it, or next to one of its parents. */
function keyOf(packages: Lockfile["packages"], from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/")))) {
    const key = `${folder}${folder && "/"}node_modules/${name}`;
    if (packages[key]) return key;
    if (!folder) return undefined;
  }
}

function resolve(packages: Lockfile["packages"], from: string, name: string): Entry | undefined {
  return packages[keyOf(packages, from, name) ?? ""];
}

/**
 * Returns the part of a lockfile that some of its packages need, with unchanged versions and locations.
 * @throws Error when one of them is not locked
 */
export function lockedPart({ packages }: Lockfile, names: readonly string[]): Lockfile["packages"] {
  const part: Lockfile["packages"] = {};
  const add = (from: string, name: string) => {
    const key = keyOf(packages, from, name);
    const entry = key && packages[key];
    if (!entry) throw new Error(`${name}, which ${from || "the program"} needs, is not locked`);
    if (part[key]) return;
    part[key] = entry;
    const { dependencies = {}, optionalDependencies = {} } = entry;
    for (const each of Object.keys({ ...dependencies, ...optionalDependencies })) add(key, each);
  };
  for (const name of names) add("", name);
  return part;
}

/**
 * Returns the lockfile with every optional platform package. Not every registry has all of them, so added entries have no
 * integrity; npm fetches them only on their own platform.
 * @throws Error when a missing package has no exact version, or its name does not tell the platform
 */
export function completed(
  lock: Lockfile,
  engines: Readonly<Record<string, string>>,
): { lock: Lockfile; added: string[] } {
  const packages = structuredClone(lock.packages);
  const missing = missingFrom(lock);
  for (const { name, version, of } of missing) {
    if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
      throw new Error(`${name}@${version} is not an exact version`);
    const dev = packages[of]?.dev;
    packages[`node_modules/${name}`] = {
      version,
      ...platformOf(name),
      ...(dev && { dev }),
      optional: true,
    };
  }
  for (const [key, entry] of Object.entries(packages)) {
    delete entry.resolved;
    const node = engines[identity(key, entry)];
    if (node) entry.engines = { ...(Array.isArray(entry.engines) ? {} : entry.engines), node };
  }
  const sorted = Object.entries(packages).sort(([a], [b]) => a.localeCompare(b, "en"));
  return {
    lock: { ...lock, packages: Object.fromEntries(sorted) },
    added: missing.map(({ name, version }) => `${name}@${version}`),
  };
}

/** Lists what keeps `npm ci` from working on every platform, one sentence each. */
export function lockfileProblems(lock: Lockfile, engines: Readonly<Record<string, string>>): string[] {
  const { packages } = lock;
  const entries = Object.entries(packages);
  const identities = new Set(entries.map(([key, entry]) => identity(key, entry)));
  return [
    ...missingFrom(lock).map(({ name, of }) => `${name} is missing, which ${of} names: npm run lockfile`),
    ...entries.flatMap(([key, { resolved }]) => (resolved ? [`${key} names a host: npm run lockfile`] : [])),
    ...entries.flatMap(([key, entry]) => {
      const node = engines[identity(key, entry)];
      const said = Array.isArray(entry.engines) ? undefined : entry.engines?.node;
      return node && said !== node ? [`${key} asks for Node ${said}: npm run lockfile`] : [];
    }),
    ...Object.keys(engines)
      .filter((name) => !identities.has(name))
      .map((name) => `${name} is not locked: remove it from TESTED_ENGINES`),
    ...entries.flatMap(([key, entry]) => uncovered(packages, key, entry)),
  ];
}

/** Lists the supported platforms for which a package with one binary per platform has none. */
function uncovered(packages: Lockfile["packages"], key: string, entry: Entry): string[] {
  const binaries = Object.keys(entry.optionalDependencies ?? {})
    .map((name) => resolve(packages, key, name))
    .filter((binary) => binary?.os && binary.cpu);
  if (binaries.length === 0 || entry.os) return [];
  return TARGETS.filter(
    ({ os, cpu }) => !binaries.some((binary) => binary?.os?.includes(os) && binary.cpu?.includes(cpu)),
  ).map(({ os, cpu }) => `${key} has no binary for ${os} ${cpu}`);
}

function identity(key: string, { version }: Entry): string {
  return `${key.slice(key.lastIndexOf("node_modules/") + "node_modules/".length)}@${version}`;
}
