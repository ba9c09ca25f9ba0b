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
} from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import type { LocalFiles, Storage, StoredFile } from "./index";
import { assertKey, keyUnder, parseKey } from "./keys";

/** Where this site serves uploads (app/uploads). */
const urlFolder = "/uploads";
/** Files on their way into the folder, and withheld ones; no key starts with a dot. */
const partialFolder = ".partial";
const withheldFolder = ".withheld";
const chunkBytes = 64 * 1024;

export interface DiskOptions {
  /** Absolute path; made when the first file comes. */
  readonly folder: string;
  readonly env: string;
  /** Origin of this site. */
  readonly appUrl: string;
  /** Signs upload addresses. */
  readonly secret: Uint8Array;
  readonly now: () => Date;
}

const grantSchema = z.object({
  type: z.string(),
  size: z
    .string()
    .regex(/^\d{1,12}$/)
    .transform(Number),
  expires: z
    .string()
    .regex(/^\d{1,12}$/)
    .transform(Number),
  signature: z.string().regex(/^[0-9a-f]{64}$/),
});

/** Uploads in a folder, behind addresses of this site. */
export function diskStorage({ folder, env, appUrl, secret, now }: DiskOptions): Storage {
  const base = new URL(urlFolder, appUrl);
  const fileOf = (key: string) => path.join(folder, ...assertKey(key).split("/"));
  const withheldFileOf = (key: string) => path.join(folder, withheldFolder, ...assertKey(key).split("/"));

  async function move(from: string, to: string): Promise<void> {
    await mkdir(path.dirname(to), { recursive: true });
    await orNull(rename(from, to));
    await rmdir(path.dirname(from)).catch(() => undefined);
  }

  /** Label first, NUL between the parts: no two grants share a message. */
  function signature(key: string, type: string, size: number, expires: number): string {
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
      const expected = signature(key, contentType, size, expires);
      if (!timingSafeEqual(Buffer.from(given), Buffer.from(expected))) return null;
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
      // Written aside and renamed: a reader sees the whole file or none, also after a crash.
      const handle = await open(partial, "wx", 0o640);
      try {
        await handle.writeFile(bytes);
        await handle.sync();
        await handle.close();
        await rename(partial, file);
      } catch (error) {
        await handle.close().catch(() => undefined);
        await rm(partial, { force: true });
        throw error;
      }
    },
    async read(key) {
      return await orNull(readFile(fileOf(key)));
    },
    withhold: (key) => move(fileOf(key), withheldFileOf(key)),
    restore: (key) => move(withheldFileOf(key), fileOf(key)),
    async remove(keys) {
      let removed = 0;
      for (const file of keys.flatMap((key) => [fileOf(key), withheldFileOf(key)])) {
        removed += (await orNull(unlink(file).then(() => 1))) ?? 0;
        // Each file has a folder of its own; the user's may hold others.
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
        signature: signature(assertKey(key), contentType, size, expires),
      });
      return `${base.href}/${key}?${query}`;
    },
    publicUrl: (key) => `${base.href}/${assertKey(key)}`,
    htmlUrl: (key) => `${urlFolder}/${assertKey(key)}`,
    keyOf(url) {
      // By path as in HTML; "//host" names a host, and so does what browsers read as that.
      const address = url.startsWith(`${urlFolder}/`) ? `${base.origin}${url}` : url;
      const key = keyUnder(base, address);
      return key && parseKey(key)?.env === env ? key : null;
    },
  };
}

/** Removes what a process that died left half written. */
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
      // Opened when somebody reads: a HEAD request, or a client that went away, never does.
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

/** Null for a file that is not there. */
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
