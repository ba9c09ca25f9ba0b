import { type FileHandle, open } from "node:fs/promises";
import { COMPRESSED_POINT_BYTES, POINT_BYTES, type pointsFiles } from "./ceremony";
import type { PointsFile } from "./ceremony.server";

/** How points are handed out: as they lie on disk, or half as long. */
export type PointsForm = keyof typeof pointsFiles;

/** Points read at a time. */
const BATCH = 1024;

/** Bytes of one point in a form. */
export function pointBytes(form: PointsForm): number {
  return form === "plain" ? POINT_BYTES : COMPRESSED_POINT_BYTES;
}

/**
 * The first points of a file in a form, as a stream that reads no faster than it is read.
 * @param signal of the request: who has gone away must not leave the file open
 */
export function pointsStream(
  file: PointsFile,
  form: PointsForm,
  count: number,
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  const pieces = read(file.path, form, count);
  const end = async () => {
    await pieces.return();
  };
  signal.addEventListener("abort", end, { once: true });
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: end,
    },
    // Opened when somebody reads: a HEAD request never does.
    { highWaterMark: 0 },
  );
}

async function* read(path: string, form: PointsForm, count: number): AsyncGenerator<Uint8Array, void, void> {
  const handle = await open(/*turbopackIgnore: true*/ path);
  try {
    for (let from = 0; from < count; from += BATCH) {
      const plain = await readPoints(handle, from, Math.min(BATCH, count - from));
      yield form === "plain" ? plain : compress(plain);
    }
  } finally {
    await handle.close();
  }
}

async function readPoints(handle: FileHandle, from: number, count: number): Promise<Uint8Array> {
  const out = new Uint8Array(count * POINT_BYTES);
  let filled = 0;
  while (filled < out.length) {
    const { bytesRead } = await handle.read(out, filled, out.length - filled, from * POINT_BYTES + filled);
    if (bytesRead === 0) throw new Error("the points file has become shorter");
    filled += bytesRead;
  }
  return out;
}

/** Points x ‖ y to x with the parity of y in its highest bit, as bb reads compressed ones. */
export function compress(plain: Uint8Array): Uint8Array {
  const out = new Uint8Array(plain.length / 2);
  for (let at = 0, to = 0; at < plain.length; at += POINT_BYTES, to += COMPRESSED_POINT_BYTES) {
    out.set(plain.subarray(at, at + COMPRESSED_POINT_BYTES), to);
    const odd = (plain[at + POINT_BYTES - 1] ?? 0) & 1;
    out[to] = (out[to] ?? 0) | (odd << 7);
  }
  return out;
}
