import { createReadStream, createWriteStream } from "node:fs";
import { lstat, mkdir, readdir } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { extract, type Header, type Pack, pack } from "tar-stream";
import { BackupError } from "./problem";

/** Writes entries into a tar, as fast as it is read. */
export async function* tarOf(write: (add: AddEntry) => Promise<void>): AsyncGenerator<Uint8Array> {
  const tar = pack();
  const written = write((header, content) => addEntry(tar, header, content)).then(
    () => tar.finalize(),
    (error: unknown) => void tar.destroy(error instanceof Error ? error : new Error(String(error))),
  );
  yield* bytesIn(tar);
  await written;
}

type AddEntry = (header: EntryHeader, content?: Uint8Array | Readable) => Promise<void>;

type EntryHeader = Partial<Header> & Pick<Header, "name">;

async function addEntry(tar: Pack, header: EntryHeader, content?: Uint8Array | Readable): Promise<void> {
  if (content instanceof Readable) return await pipeline(content, tar.entry(header));
  await new Promise<void>((resolve, reject) => {
    tar.entry(header, Buffer.from(content ?? []), (error) => (error ? reject(error) : resolve()));
  });
}

/** Reads the entries of a tar, one at a time. */
export async function* entriesOf(tar: AsyncIterable<Uint8Array>) {
  const entries = extract();
  const done = pipeline(Readable.from(tar), entries);
  // Reported by whoever reads on.
  done.catch(() => undefined);
  for await (const entry of ownReason(entries, done)) {
    yield { header: entry.header, content: bytesIn(ownReason(entry, done)) };
  }
  await done;
}

/** Reads a part of a tar. A tar that fails ends it with an error of its own, which does not say why. */
async function* ownReason<T>(part: AsyncIterable<T>, done: Promise<void>): AsyncGenerator<T> {
  try {
    yield* part;
  } catch (error) {
    await done;
    throw error;
  }
}

/** The package's streams say nothing of what they hold. */
async function* bytesIn(stream: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) if (chunk instanceof Uint8Array) yield chunk;
}

/** Reads a folder as a tar: its files and folders, nothing else. The files must not change meanwhile. */
export function packFolder(folder: string): AsyncGenerator<Uint8Array> {
  return tarOf(async (add) => {
    const names = await readdir(folder, { recursive: true });
    for (const name of names.sort()) {
      const file = path.join(folder, name);
      const found = await lstat(file);
      if (found.isDirectory()) await add({ name, type: "directory", mode: 0o700 });
      else if (found.isFile()) await add({ name, size: found.size, mode: 0o600 }, createReadStream(file));
    }
  });
}

/** Writes the files and folders of a tar. @throws BackupError for an entry that is not one of these, or outside the folder */
export async function unpackFolder(folder: string, tar: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const { header, content } of entriesOf(tar)) {
    const file = path.join(folder, header.name);
    const isInside = file.startsWith(`${folder}${path.sep}`) && !header.name.split("/").includes("..");
    if (!isInside || (header.type !== "file" && header.type !== "directory"))
      throw new BackupError("the archive of the database names a file outside its folder");
    if (header.type === "directory") {
      await mkdir(file, { recursive: true, mode: 0o700 });
      for await (const _ of content) throw new BackupError("a folder has no content");
    } else {
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
      await pipeline(content, createWriteStream(file, { flags: "wx", mode: 0o600 }));
    }
  }
}
