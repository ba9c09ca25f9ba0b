import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { CHUNK_POINTS, COMPRESSED_POINT_BYTES, pointsFiles } from "@/lib/proofs/ceremony";
import { withBb } from "./bb";
import { cacheSrs } from "./srs-cache";
import type { OnProgress } from "./types";

/** A host that has not answered by then is taken for no network. */
const ANSWER_TIMEOUT_MS = 5_000;
const BODY_TIMEOUT_MS = 120_000;

/**
 * Fetches the ceremony's compressed points, lets bb check and expand them, and puts them into the cache.
 *
 * @param points rounded up to the next 131,072, the piece bb can check.
 * @param g2 the ceremony's [x]_2, a constant: it is not fetched.
 * @returns the directory, or undefined when no host answers or bb refuses what they sent. Never throws.
 */
export async function downloadIgnition(
  points: number,
  hosts: readonly string[],
  g2: Uint8Array,
  onProgress: OnProgress = () => {},
): Promise<string | undefined> {
  const total = Math.ceil(points / CHUNK_POINTS) * CHUNK_POINTS;
  for (const host of hosts) {
    try {
      const compressed = await fetchHead(
        `${host}/${pointsFiles.compressed}`,
        total * COMPRESSED_POINT_BYTES,
        (fraction) => onProgress({ step: "download-srs", fraction }),
      );
      const g1 = await expand(compressed, total, g2);
      return await cacheSrs(`srs-ignition-${total}`, g1, g2);
    } catch {
      // The next host, or none: the caller says what it does without.
    }
  }
  return undefined;
}

async function fetchHead(
  url: string,
  bytes: number,
  onFraction: (fraction: number) => void,
): Promise<Uint8Array> {
  const abort = new AbortController();
  let timer = setTimeout(() => abort.abort(), ANSWER_TIMEOUT_MS);
  try {
    const response = await fetch(url, { headers: { Range: `bytes=0-${bytes - 1}` }, signal: abort.signal });
    clearTimeout(timer);
    timer = setTimeout(() => abort.abort(), BODY_TIMEOUT_MS);
    if (!response.ok || !response.body) throw new Error(`HTTP ${response.status}`);
    const out = new Uint8Array(bytes);
    let filled = 0;
    for await (const chunk of response.body) {
      // A host that ignores Range sends the whole file; the head is all we want.
      const part = chunk.subarray(0, bytes - filled);
      out.set(part, filled);
      filled += part.length;
      onFraction(filled / bytes);
      if (filled === bytes) break;
    }
    if (filled < bytes) throw new Error("short answer");
    return out;
  } finally {
    clearTimeout(timer);
    abort.abort();
  }
}

async function expand(compressed: Uint8Array, points: number, g2: Uint8Array): Promise<Uint8Array> {
  // An empty directory: this bb is given its points and must not look for others.
  const empty = await mkdtemp(path.join(tmpdir(), "parley-srs-"));
  try {
    const { pointsBuf } = await withBb({ srsPath: empty, threads: 1 }, (api) =>
      api.srsInitSrs({ pointsBuf: compressed, numPoints: points, g2Point: g2 }),
    );
    if (pointsBuf.length !== points * 64) throw new Error("bb did not expand the points");
    return pointsBuf;
  } finally {
    await rm(empty, { recursive: true, force: true });
  }
}
