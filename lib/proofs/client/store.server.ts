import { createHash } from "node:crypto";
import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type PaymentStore, parseRecord } from "./stores";

/** Age at which a lock file counts as left by a crash; signing with a hardware wallet may take minutes. */
const LOCK_STALE_MS = 10 * 60 * 1000;
const LOCK_POLL_MS = 50;

/**
 * Makes a store in a folder, for the CLI and agents: one file per job, readable by its owner only. `set` resolves after
 * the record is synced to disk.
 * @param folder created with mode 0700 if missing.
 */
export function fileStore(folder: string): PaymentStore {
  // Job keys are free text; their hash is a safe file name.
  const fileOf = (jobKey: string) =>
    path.join(folder, `${createHash("sha256").update(jobKey).digest("hex")}.json`);
  return {
    async get(jobKey) {
      const text = await readFile(fileOf(jobKey), "utf8").catch(absent);
      return parseRecord(text);
    },
    async set(jobKey, record) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const file = fileOf(jobKey);
      const draft = `${file}.${process.pid}.tmp`;
      await writeFile(draft, JSON.stringify(record), { mode: 0o600, flush: true });
      await rename(draft, file);
    },
    delete: (jobKey) => rm(fileOf(jobKey), { force: true }),
    async exclusive(jobKey, run) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const lock = `${fileOf(jobKey)}.lock`;
      await acquire(lock);
      try {
        return await run();
      } finally {
        await rm(lock, { force: true });
      }
    },
  };
}

async function acquire(lock: string): Promise<void> {
  for (;;) {
    try {
      return await writeFile(lock, String(process.pid), { flag: "wx", mode: 0o600 });
    } catch (error) {
      if (!hasCode(error, "EEXIST")) throw error;
    }
    if (await isAbandoned(lock)) await rm(lock, { force: true });
    else await sleep(LOCK_POLL_MS);
  }
}

/** Returns whether the process that took a lock is gone. */
async function isAbandoned(lock: string): Promise<boolean> {
  const owner = Number(await readFile(lock, "utf8").catch(() => ""));
  const age = await stat(lock).then(
    (s) => Date.now() - s.mtimeMs,
    () => 0,
  );
  if (age > LOCK_STALE_MS) return true;
  // Not written yet, or released meanwhile.
  if (!Number.isInteger(owner) || owner <= 0) return false;
  try {
    process.kill(owner, 0);
    return false;
  } catch (error) {
    return hasCode(error, "ESRCH");
  }
}

const hasCode = (error: unknown, code: string) =>
  error instanceof Error && "code" in error && error.code === code;

function absent(error: unknown): null {
  if (hasCode(error, "ENOENT")) return null;
  throw error;
}
