import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import {
  type FileHandle,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  unlink,
  writeFile,
} from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import type { RotatingSecrets } from "@/lib/settings/keys";
import type { LocalFiles, Storage, StoredFile } from "./index";
import { assertKey, keyUnder, parseKey } from "./keys";

/** Path under which this site serves uploads (app/uploads). */
const urlFolder = "/uploads";
/** Folders of incomplete and withheld files; no key starts with a dot. */
const partialFolder = ".partial";
const withheldFolder = ".withheld";
const chunkBytes = 64 * 1024;

interface DiskOptions {
  /** Absolute path; created with the first file. */
  readonly folder: string;
  readonly env: string;
  /** Origin of this site. */
  readonly appUrl: string;
  /** Sign upload URLs. */
  readonly secrets: RotatingSecrets;
  readonly now: () => Date;
}

const numberSchema = z
  .string()
  .regex(/^\d{1,12}$/)
  .transform(Number);
const grantSchema = z.object({
  type: z.string(),
  size: numberSchema,
  expires: numberSchema,
  signature: z.string().regex(/^[0-9a-f]{64}$/),
});

/** Stores uploads in a folder; this site serves them. */
export function diskStorage({ folder, env, appUrl, secrets, now }: DiskOptions): Storage {
  const base = new URL(urlFolder, appUrl);
  const fileOf = (key: string) => path.join(folder, ...assertKey(key).split("/"));
  const withheldFileOf = (key: string) => path.join(folder, withheldFolder, ...assertKey(key).split("/"));

  async function move(from: string, to: string): Promise<void> {
    await mkdir(path.dirname(to), { recursive: true });
    await orNull(rename(from, to));
    await rmdir(path.dirname(from)).catch(() => undefined);
  }

  /** Starts with a label and separates the parts by NUL, so that no two grants share a message. */
  function signature(
    key: string,
    { type, size, expires, secret }: { type: string; size: number; expires: number; secret: Uint8Array },
  ): string {
    const message = ["parley upload", key, type, size, expires].join("\0");
    return createHmac("sha256", secret).update(message).digest("hex");
  }

  const local: LocalFiles = {
    async open(key) {
      return await openFile(fileOf(key), parseKey(key)?.contentType ?? "");
    },
    readUploadUrl(address) {
      const key = keyUnder(base, address);
      if (!key) return null;
      const grant = grantSchema.safeParse(Object.fromEntries(new URL(address).searchParams));
      if (!grant.success) return null;
      const { type: contentType, size, expires, signature: given } = grant.data;
      const isOurs = secrets.some((secret) => {
        const expected = signature(key, { type: contentType, size, expires, secret });
        return timingSafeEqual(Buffer.from(given), Buffer.from(expected));
      });
      if (!isOurs) return null;
      return expires * 1000 > now().getTime() ? { key, contentType, size } : null;
    },
  };

  return {
    env,
    local,
    async put(key, bytes) {
      const file = fileOf(key);
      const partial = path.join(folder, partialFolder, randomUUID());
      await mkdir(path.dirname(partial), { recursive: true });
      await mkdir(path.dirname(file), { recursive: true });
      // Write to a temporary file and rename it: a reader sees the whole file or none, even after a crash.
      try {
        await writeFile(partial, bytes, { flag: "wx", mode: 0o640, flush: true });
        await rename(partial, file);
      } catch (error) {
        await rm(partial, { force: true });
        throw error;
      }
    },
    async read(key) {
      return await orNull(readFile(fileOf(key)));
    },
    readWithheld: async (key) => await orNull(readFile(withheldFileOf(key))),
    async *keys() {
      const names = await orNull(readdir(path.join(folder, env), { recursive: true }));
      for (const name of names ?? []) {
        const key = [env, ...name.split(path.sep)].join("/");
        if (parseKey(key)) yield key;
      }
    },
    withhold: (key) => move(fileOf(key), withheldFileOf(key)),
    restore: (key) => move(withheldFileOf(key), fileOf(key)),
    async remove(keys) {
      let removed = 0;
      for (const file of keys.flatMap((key) => [fileOf(key), withheldFileOf(key)])) {
        removed += (await orNull(unlink(file).then(() => 1))) ?? 0;
        // Removes the file's own folder; the parent may contain other files.
        await rmdir(path.dirname(file)).catch(() => undefined);
      }
      return removed;
    },
    async uploadUrl(key, { contentType, size, expiresInSeconds }) {
      const expires = Math.floor(now().getTime() / 1000) + expiresInSeconds;
      const query = new URLSearchParams({
        type: contentType,
        size: String(size),
        expires: String(expires),
        signature: signature(assertKey(key), { type: contentType, size, expires, secret: secrets[0] }),
      });
      return `${base.href}/${key}?${query}`;
    },
    publicUrl: (key) => `${base.href}/${assertKey(key)}`,
    htmlUrl: (key) => `${urlFolder}/${assertKey(key)}`,
    keyOf(url) {
      // A path as in HTML. A URL like "//host" names a host and must not match.
      const address = url.startsWith(`${urlFolder}/`) ? `${base.origin}${url}` : url;
      const key = keyUnder(base, address);
      return key && parseKey(key)?.env === env ? key : null;
    },
  };
}

/** Deletes the incomplete files of crashed processes. */
export async function sweepPartialFiles(folder: string, before: Date): Promise<void> {
  const aside = path.join(folder, partialFolder);
  for (const name of (await orNull(readdir(aside))) ?? []) {
    const found = await orNull(stat(path.join(aside, name)));
    if (found && found.mtime < before) await rm(path.join(aside, name), { force: true });
  }
}

async function openFile(file: string, contentType: string): Promise<StoredFile | null> {
  const found = await orNull(stat(file));
  if (!found) return null;
  let handle: FileHandle | null = null;
  const source: UnderlyingSource<Uint8Array> = {
    async pull(controller) {
      // Opens the file on the first read: a HEAD request or a disconnected client never reads.
      handle ??= await open(file, "r");
      const { bytesRead, buffer } = await handle.read(new Uint8Array(chunkBytes));
      if (bytesRead > 0) return controller.enqueue(buffer.subarray(0, bytesRead));
      await handle.close();
      controller.close();
    },
    async cancel() {
      await handle?.close();
    },
  };
  return { contentType, size: found.size, body: new ReadableStream(source, { highWaterMark: 0 }) };
}

/** Resolves to null if the file does not exist. */
async function orNull<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")) {
      return null;
    }
    throw error;
  }
}
