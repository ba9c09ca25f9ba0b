import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { Decrypter, Encrypter } from "age-encryption";
import { BackupError } from "./problem";

/** A written file. */
export interface Digest {
  readonly bytes: number;
  /** SHA-256 in hex. */
  readonly sha256: string;
}

/** Encrypts for all recipients. @throws BackupError naming the one that is no age recipient */
export function encrypterFor(recipients: readonly string[]): Encrypter {
  if (recipients.length === 0)
    throw new BackupError("--recipient or --recipients must name a key to encrypt to: age1…");
  const encrypter = new Encrypter();
  for (const recipient of recipients) {
    try {
      encrypter.addRecipient(recipient);
    } catch {
      throw new BackupError(`--recipient must be an age recipient, which begins with age1: ${recipient}`);
    }
  }
  return encrypter;
}

/** Decrypts with the identities of a file, one a line, as age-keygen writes them. @throws BackupError */
export async function decrypterOf(file: string): Promise<Decrypter> {
  const decrypter = new Decrypter();
  const identities = await linesOf(file, "--identity");
  if (identities.length === 0) throw new BackupError(`--identity: ${file} has no identity`);
  for (const identity of identities) {
    try {
      decrypter.addIdentity(identity);
    } catch {
      throw new BackupError(`--identity: ${file} has a line that is no identity (AGE-SECRET-KEY-1…)`);
    }
  }
  return decrypter;
}

/** Returns the lines of a file of keys, without comments. @throws BackupError */
export async function linesOf(file: string, option: string): Promise<string[]> {
  const text = await readFile(file, "utf8").catch(() => {
    throw new BackupError(`${option}: ${file} cannot be read`);
  });
  return text.split("\n").flatMap((line) => (/^\s*(#|$)/.test(line) ? [] : line.trim()));
}

/** Encrypts a stream into a new file, readable by its owner only. */
export async function sealInto(
  file: string,
  content: AsyncIterable<Uint8Array>,
  encrypter: Encrypter,
  signal: AbortSignal,
): Promise<Digest> {
  const sealed = await encrypter.encrypt(webStreamOf(content));
  const hash = createHash("sha256");
  let bytes = 0;
  await pipeline(
    sealed,
    async function* (chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        bytes += chunk.length;
        yield chunk;
      }
    },
    createWriteStream(file, { flags: "wx", mode: 0o600, flush: true }),
    { signal },
  );
  return { bytes, sha256: hash.digest("hex") };
}

/** Returns the digest of a file. */
export async function digestOf(file: string): Promise<Digest> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of createReadStream(file)) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest("hex") };
}

/** Decrypts a file. @throws BackupError at once if no identity fits; while it is read, if it was changed or cut */
export async function unseal(file: string, decrypter: Decrypter): Promise<AsyncIterable<Uint8Array>> {
  const source = createReadStream(file);
  try {
    return contentOf(await decrypter.decrypt(webStreamOf(source)), file);
  } catch (error) {
    source.destroy();
    const reason = error instanceof Error ? error.message : String(error);
    throw new BackupError(`${file} cannot be decrypted with this identity (${reason})`);
  }
}

async function* contentOf(stream: AsyncIterable<Uint8Array>, file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new BackupError(`${file} was changed or cut (${reason})`);
  }
}

function webStreamOf(content: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const chunks = content[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await chunks.return?.();
    },
  });
}
