import path from "node:path";
import { appVariables } from "@/lib/settings/app";
import { generalVariables } from "@/lib/settings/general";
import { type Environment, readSettings } from "@/lib/settings/read";
import type { Storage } from "@/lib/storage";
import { openStorage } from "@/lib/storage/open";
import { databaseUrls } from "../programs/migrate";
import { inFolder, restoreFolder, snapshotOfFolder } from "./embedded";
import { type Program, programNames } from "./manifest";
import { inPostgres, restorePostgres, snapshotOfPostgres } from "./postgres";
import { BackupError } from "./problem";
import type { Snapshot } from "./snapshot";

/** A database of an installation. */
export interface Place {
  /** Both if they share it. */
  readonly programs: readonly Program[];
  readonly url: string;
  readonly engine: Snapshot["engine"];
  snapshot(): Promise<Snapshot>;
  /** Returns what is in the way of a restored database. */
  occupied(): Promise<string | undefined>;
  restore(dump: AsyncIterable<Uint8Array>): Promise<void>;
}

/** Where the data of programs is, by their settings. @throws SettingsError; BackupError for a database in memory */
export function placesOf(programs: readonly Program[], environment: Environment) {
  const { PARLEY_HOME, PARLEY_MODE } = generalVariables;
  const { STORAGE_URL } = appVariables;
  const given = readSettings({ PARLEY_HOME, PARLEY_MODE, STORAGE_URL }, environment);
  const home = path.resolve(given.PARLEY_HOME);
  const [first, second] = programNames
    .filter((each) => programs.includes(each))
    .map((program) => ({ program, url: databaseUrls[program](environment) }));
  const isShared = first && second && isSame(first.url, second.url);
  const databases = isShared
    ? [placeOf([first.program, second.program], first.url)]
    : [first, second].flatMap((each) => (each ? placeOf([each.program], each.url) : []));
  return { home, databases, storage: programs.includes("app") ? storageOf(given, home) : undefined };
}

function placeOf(programs: readonly Program[], url: string): Place {
  const folder = /^pglite:(.*)$/.exec(url)?.[1];
  if (folder === "memory")
    throw new BackupError(`the database of ${programs.join(" and ")} is in memory only`);
  return folder === undefined
    ? {
        ...{ programs, url, engine: "postgres" },
        snapshot: () => snapshotOfPostgres(url),
        occupied: () => inPostgres(url),
        restore: (dump) => restorePostgres(url, dump),
      }
    : {
        ...{ programs, url, engine: "embedded" },
        snapshot: () => snapshotOfFolder(folder),
        occupied: () => inFolder(folder),
        restore: (dump) => restoreFolder(folder, dump),
      };
}

/** Whether two URLs name one database; users and parameters may differ. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((url) => new URL(url.replace(/^vercel\+/, "")));
  return a?.host === b?.host && a?.pathname === b?.pathname;
}

function storageOf(
  { STORAGE_URL: url, PARLEY_MODE: env = "development" }: { STORAGE_URL: string; PARLEY_MODE?: string },
  home: string,
): Storage {
  // Neither origin nor secret matters: no addresses are made.
  const rest = { appUrl: "http://localhost", secrets: [new Uint8Array(32)] as const, now: () => new Date() };
  return openStorage({ url, folder: path.join(home, "uploads"), env, ...rest });
}
