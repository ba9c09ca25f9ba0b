import { randomUUID } from "node:crypto";
import { type FileHandle, open, unlink } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import PQueue from "p-queue";
import pTimeout from "p-timeout";
import { Refusal } from "@/lib/errors";

/** Number of bodies beyond the default size in memory at once, from their last byte until the response. */
const MAX_IN_MEMORY = 2;
/** How many more of one sender's bodies may wait while one is being processed. */
const MAX_WAITING_PER_OWNER = 4;
const IDLE_MS = 10_000;
/** Minimum average rate in bytes per second, once a sender had `GRACE_MS` to start. */
const MIN_BYTES_PER_SECOND = 50_000;
const GRACE_MS = 10_000;

/** Only route handlers receive bodies, and the bundler gives all of them one copy of this module. */
const memory = new PQueue({ concurrency: MAX_IN_MEMORY });
const owners = new Map<string, PQueue>();

/** The body of one request, in case it is a large one. */
export interface BodyPlace {
  /** The sender: a user, or an address. Each has one large body in progress at a time. */
  owner: string;
  /**
   * Receives a body on disk, where a slow sender costs nothing, and then waits for room in memory.
   * @param first the bytes read so far
   * @param read returns the next bytes, null at the end
   * @throws Refusal body_too_slow, rate_limited, and whatever `read` throws
   */
  receive(first: Uint8Array, read: () => Promise<Uint8Array | null>): Promise<Buffer<ArrayBuffer>>;
  /** Releases what the request holds; call it after the response, since the body is in memory until then. */
  release(): void;
}

export function bodyPlace(owner = "nobody"): BodyPlace {
  const held: (() => void)[] = [];
  let over = false;
  const take = async (queue: PQueue) => {
    const release = await enter(queue);
    if (over) release();
    else held.push(release);
  };
  return {
    owner,
    async receive(first, read) {
      const own = owners.get(this.owner) ?? new PQueue({ concurrency: 1 });
      owners.set(this.owner, own);
      if (own.size >= MAX_WAITING_PER_OWNER) {
        throw new Refusal("rate_limited", {
          retryAfter: 10,
          message: "Too many large requests at once. Wait for the others to finish.",
        });
      }
      await take(own);
      held.push(() => {
        if (own.size === 0 && own.pending <= 1) owners.delete(this.owner);
      });
      const file = await namelessFile();
      try {
        const size = await receiveInto(file, first, read);
        await take(memory);
        const bytes = Buffer.allocUnsafeSlow(size);
        await file.read(bytes, 0, size, 0);
        return bytes;
      } finally {
        await file.close();
      }
    },
    release() {
      over = true;
      for (const release of held.splice(0)) release();
    },
  };
}

/** Waits for a slot in a queue. @returns the function that releases it */
async function enter(queue: PQueue): Promise<() => void> {
  return await new Promise<() => void>((entered) => {
    void queue.add(() => new Promise<void>((leave) => entered(leave)));
  });
}

/** Creates a file without a name: it disappears with this process, whatever happens. */
async function namelessFile(): Promise<FileHandle> {
  const name = path.join(os.tmpdir(), `parley-body-${randomUUID()}`);
  const file = await open(name, "wx+", 0o600);
  await unlink(name);
  return file;
}

/** @returns bytes written */
async function receiveInto(
  file: FileHandle,
  first: Uint8Array,
  read: () => Promise<Uint8Array | null>,
): Promise<number> {
  const began = Date.now();
  let size = 0;
  for (let bytes: Uint8Array | null = first; bytes; bytes = await inTime(read())) {
    await file.writev([bytes]);
    size += bytes.length;
    const ms = Date.now() - began;
    if (ms > GRACE_MS && size - first.length < ((ms - GRACE_MS) / 1000) * MIN_BYTES_PER_SECOND)
      throw tooSlow();
  }
  return size;
}

/** @throws Refusal body_too_slow */
const inTime = <T>(work: Promise<T>) => pTimeout(work, { milliseconds: IDLE_MS, message: tooSlow() });

const tooSlow = () => new Refusal("body_too_slow");
