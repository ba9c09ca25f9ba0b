import {
  CEREMONY_PREFIX,
  POINT_BYTES,
  type PointsPart,
  pointsFiles,
  pointsPart,
} from "@/lib/proofs/ceremony";
import { BrowserProvingError } from "./errors";
import { type ProvingStore, sha256 } from "./store";

export interface Points {
  readonly bytes: Uint8Array;
  readonly count: number;
  /** Whether bb still has to check and expand them; it returns the expanded points, which are then kept. */
  readonly compressed: boolean;
}

export interface PointsParts {
  readonly store: ProvingStore;
  readonly sources: readonly string[];
  readonly fetch: typeof fetch;
  /** Receives the downloaded fraction, 0 to 1. */
  readonly onFraction: (fraction: number) => void;
}

const nameOf = (count: number) => `points/${count}`;

/** Returns the ceremony's points for a circuit, from the store or else from the first source. @throws BrowserProvingError */
export async function ceremonyPoints(needed: number, parts: PointsParts): Promise<Points> {
  const part = pointsPart(needed);
  const kept = await keptPoints(part.points, parts.store);
  if (kept) return kept;
  let wrong = false;
  for (const source of parts.sources) {
    const bytes = await fetchPart(source, part, parts).catch(() => null);
    if (!bytes) continue;
    if (part.form === "compressed") return { bytes, count: part.points, compressed: true };
    if ((await sha256(bytes)) === CEREMONY_PREFIX.sha256) {
      await keepPoints(bytes, parts.store);
      return { bytes, count: part.points, compressed: false };
    }
    wrong = true;
  }
  throw new BrowserProvingError(wrong ? "points_wrong" : "points_unavailable");
}

/** Stores expanded points for the next proof. */
export async function keepPoints(bytes: Uint8Array, store: ProvingStore): Promise<void> {
  await store.write(nameOf(bytes.length / POINT_BYTES), bytes);
}

/** Returns stored points, at least as many as needed: a larger circuit's points fit a smaller one too. */
async function keptPoints(needed: number, store: ProvingStore): Promise<Points | null> {
  const counts = (await store.names("points/")).map((name) => Number(name.slice("points/".length)));
  for (const count of counts.filter((one) => one >= needed).sort((a, b) => a - b)) {
    const bytes = await store.read(nameOf(count));
    if (bytes?.length === count * POINT_BYTES) return { bytes, count, compressed: false };
  }
  return null;
}

async function fetchPart(
  source: string,
  { form, bytes }: PointsPart,
  { fetch, onFraction }: PointsParts,
): Promise<Uint8Array> {
  const response = await fetch(`${source}/${pointsFiles[form]}`, {
    headers: { range: `bytes=0-${bytes - 1}` },
    credentials: "omit",
  });
  if (!response.ok || !response.body) throw new Error(`HTTP ${response.status}`);
  const out = new Uint8Array(bytes);
  let filled = 0;
  const reader = response.body.getReader();
  while (filled < bytes) {
    const { done, value } = await reader.read();
    if (done) throw new Error("the response is too short");
    // A source without range support sends the whole file; only its beginning is needed.
    const piece = value.subarray(0, bytes - filled);
    out.set(piece, filled);
    filled += piece.length;
    onFraction(filled / bytes);
  }
  await reader.cancel().catch(() => undefined);
  return out;
}
