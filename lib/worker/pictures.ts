import * as z from "zod/mini";
import { picturesCache } from "@/lib/client/saved";

/** Pictures stored for reading offline, and when they have to go. */

/** How often the server is asked which pictures ended, while pages are used. Milliseconds. */
const CHECK_MS = 30_000;
const removedPath = "/api/upload/removed";
const removed = z.object({ addresses: z.array(z.string()) });

let checkedAt = Number.NEGATIVE_INFINITY;

/** Deletes the copies of pictures that ended, by the server's list of hashes. Asks it at most every 30 seconds: its answer may be 20 seconds old, and copies go within a minute. */
export async function forgetRemoved(now = Date.now()): Promise<void> {
  if (now - checkedAt < CHECK_MS || !(await caches.keys()).includes(picturesCache)) return;
  checkedAt = now;
  const cache = await caches.open(picturesCache);
  const copies = await cache.keys();
  if (copies.length === 0) return;
  const response = await fetch(removedPath, { priority: "low" }).catch(() => null);
  const answer = removed.safeParse(response?.ok ? await response.json().catch(() => null) : null);
  if (!answer.success) {
    // Offline, or the server is busy: the next page asks again.
    checkedAt = Number.NEGATIVE_INFINITY;
    return;
  }
  const ended = new Set(answer.data.addresses);
  await Promise.all(
    copies.map(async (copy) => {
      if (ended.has(await hashOf(new URL(copy.url).pathname))) await cache.delete(copy);
    }),
  );
}

/** Deletes the copy of a picture that the server no longer has: offline, it would still be shown. */
export async function forgetIfGone(request: Request, response: Response): Promise<void> {
  if (![403, 404, 410].includes(response.status)) return;
  if ((await caches.keys()).includes(picturesCache)) {
    await (await caches.open(picturesCache)).delete(request);
  }
}

/** SHA-256 in hex. */
async function hashOf(text: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
